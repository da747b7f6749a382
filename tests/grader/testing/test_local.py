"""Tests local mode, in which authors run the tests of a challenge folder with pytest and without a cell. Each test starts such
a run in a separate process.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

FILES = {
    "given.py": """
        from __future__ import annotations
        from dataclasses import dataclass

        @dataclass
        class Config:
            width: int = 3
        """,
    "probes.py": """
        from given import Config

        def drive(module, x, times):
            for _ in range(times):
                x = module.double(x)
            return x * Config().width
        """,
    "submissions/accepted/a.py": """
        from given import Config

        def double(x):
            return x * 2
        """,
    "submissions/accepted/b.py": """
        from __future__ import annotations
        from dataclasses import dataclass
        import torch

        @dataclass
        class Factor:
            value: torch.Tensor | None = None

        def double(x):
            return x + x
        """,
    "submissions/wa/triple.py": """
        # caught by: test_doubles
        def double(x):
            return x * 3
        """,
    "tests.py": """
        import torch
        import pytest
        from grader.testing import assert_close, assert_gradcheck, attested, points, sample

        @sample
        def test_doubles(solution, reference, rng):
            '''Doubles every element.'''
            x = rng.randn(3)
            assert_close(solution.double(x), reference.double(x))

        @points(3)
        @pytest.mark.parametrize("times", [1, 2])
        def test_drives(probes, reference, given, exhibit, device, times):
            x = torch.ones(2, device=device)
            assert_close(probes.drive(x, times), probes.on(reference).drive(x, times))
            assert given.Config(width=4).width == 4
            exhibit.heatmap("x", x)
            with pytest.raises(AttributeError, match="no function"):
                probes.missing(x)

        @attested
        def test_attests(solution, attest):
            x = torch.ones(2, requires_grad=True)
            seen = attest(solution.double, x)
            assert_close(seen.result, 2 * torch.ones(2))
            assert sum(seen.operators.values()) >= 1
            assert seen.saved_bytes == sum(one.bytes for one in seen.saved)
            assert seen.largest_numel == 2
            assert attest.backward(solution.double, x).operators

        def test_seed(rng):
            assert rng.seed() == 0, "drawn"

        @pytest.mark.unheard
        def test_typo():
            pass
        """,
}


@pytest.fixture
def challenge(tmp_path: Path) -> Path:
    for name, source in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(source).replace("@pytest.mark.unheard\n", ""))
    return tmp_path


def _run(folder: Path, answer: str, *options: str) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).resolve().parents[3]
    return subprocess.run(
        [sys.executable, "-m", "grader.gate.local.run", str(folder), str(folder / answer), *options],
        cwd=root,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )


def test_an_accepted_answer_passes_with_every_fixture(challenge: Path) -> None:
    done = _run(challenge, "submissions/accepted/b.py", "-q", "--deselect", "tests.py::test_seed")
    assert "5 passed, 1 deselected" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0
    assert not list(challenge.rglob("__pycache__"))


def test_a_wrong_answer_fails_with_rewritten_assertions(challenge: Path) -> None:
    done = _run(challenge, "submissions/wa/triple.py", "-q", "-k", "doubles or seed", "--seed", "7")
    assert done.returncode == 1
    assert "/tests.py::test_doubles" in done.stdout
    assert "output: largest error" in done.stdout
    # Only an assertion that pytest has rewritten shows the values on both sides.
    assert "AssertionError: drawn" in done.stdout
    assert "where" in done.stdout


def test_each_run_draws_a_seed_and_tells_it(challenge: Path) -> None:
    options = ("-q", "-k", "seed")
    first, second = (_run(challenge, "submissions/accepted/b.py", *options).stdout for _ in range(2))
    told = first.partition("(")[0]
    assert told.startswith("seed ")
    assert told != second.partition("(")[0]
    again = _run(challenge, "submissions/accepted/b.py", *options, "--seed", told.split()[1]).stdout
    number = re.compile(r"assert (\d+) == 0")
    assert number.findall(again) == number.findall(first) != number.findall(second)


def test_an_unknown_mark_is_an_error(challenge: Path) -> None:
    (challenge / "tests.py").write_text(dedent(FILES["tests.py"]))
    done = _run(challenge, "submissions/accepted/a.py", "-q")
    assert "'unheard' not found" in done.stdout
    assert done.returncode != 0


def test_a_missing_answer_is_told_in_a_sentence(challenge: Path) -> None:
    done = _run(challenge, "submissions/accepted/none.py")
    assert done.returncode == 2
    assert "none.py is missing: it should be the answer" in done.stderr
    assert "Traceback" not in done.stderr

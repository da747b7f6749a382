"""Tests the proof of variants: it refuses a variant whose tests accept an answer to another one."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.content.package import load
from grader.content.variants.declared import declaration
from grader.content.variants.lock import load_lock, proven_variants
from grader.gate.cli import challenge
from grader.gate.lock import write_lock
from grader.gate.variants.prove import is_proven, prove
from grader.judging.workbench import Workbench
from tests.grader.gate.conftest import write_folder

TESTS = '''"""Hidden tests."""

import torch

from grader.testing import assert_close, sample


@sample
def test_twice(solution):
    """Each element becomes twice as large as it was before."""
    assert_close(solution.double(torch.tensor([3.0])), torch.tensor([6.0]))


def test_shift(solution, rng):
    """The shift is added to each element after the multiplication."""
    x = rng.randn(4)
    assert_close(solution.double(x, 1.0), x * 2 + 1.0)
'''
SECOND = "def double(x, shift=0.0):\n    return 2 * x + shift\n"
WRONG = "\n".join(
    f"""[[wrong]]
name = "off-by-{n}"
verdict = "wa"
caught_by = "test_shift"
mistake = "Adds {n} to the shift."
[[wrong.changes]]
find = "+ shift"
replace = "+ shift + {n}"
"""
    for n in range(1, 8)
)
CHANGES = """[[parameter]]
name = "factor"
about = "By how much"
[[parameter.value]]
name = "two"
summary = "twice"
[[parameter.value]]
name = "three"
summary = "three times"
"""


def change(file: str, find: str, replace: str) -> str:
    return f"[[parameter.value.changes]]\nfile = '{file}'\nfind = '{find}'\nreplace = '{replace}'\n"


ANSWERS = change("submissions/accepted/a-reference.py", "y = x + x", "y = x + x + x")
ANSWERS += change("submissions/accepted/b-product.py", "2 * x", "3 * x")
DIFFERENT = change("tests.py", "torch.tensor([6.0])", "torch.tensor([9.0])") + change(
    "tests.py", "x * 2 + 1.0", "x * 3 + 1.0"
)


@pytest.fixture
def folder(tmp_path: Path, process_bench: Workbench) -> Path:
    """A challenge with two accepted answers, seven wrong ones, and a lock of its tests."""
    made = write_folder(tmp_path / "kit" / "doubling", TESTS)
    (made / "submissions" / "accepted" / "b-product.py").write_text(SECOND)
    (made / "wrong.toml").write_text(WRONG)
    (tmp_path / "variants").mkdir()
    assert write_lock(process_bench, made)[1] == []
    return made


def test_a_variant_that_rejects_the_others_is_proven_by_named_tests(folder: Path, process_bench: Workbench) -> None:
    declaration(folder).write_text(CHANGES + ANSWERS + DIFFERENT)
    record = prove(process_bench, folder)
    assert record.findings == ()
    two, three = record.variants
    assert (three.accepted, three.wrong) == (2, 7)
    assert two.rejects == {"three": ("test_twice",)}
    assert three.rejects == {"two": ("test_twice",)}
    assert is_proven(folder)
    assert prove(process_bench, folder).cached
    assert [one.name for one, _ in proven_variants(folder, load(folder))] == ["two", "three"]
    declaration(folder).write_text(declaration(folder).read_text().replace("twice", "doubled"))
    assert not is_proven(folder)


def test_a_variant_whose_tests_accept_the_answers_of_another_is_refused(folder: Path, process_bench: Workbench) -> None:
    same = change("submissions/accepted/b-product.py", "2 * x", "x * 2")
    declaration(folder).write_text(CHANGES + change("submissions/accepted/a-reference.py", "x + x", "x * 2") + same)
    record = prove(process_bench, folder)
    told = {f"{finding.where}: {finding.text}" for finding in record.findings}
    assert "three: two/a-reference.py: is accepted by the tests of this variant" in told
    assert "two: three/b-product.py: is accepted by the tests of this variant" in told
    assert load_lock(folder) is None


def test_a_variant_whose_own_answers_fail_and_a_wrong_answer_that_passes_are_refused(
    folder: Path, process_bench: Workbench
) -> None:
    only_tests = change("tests.py", "torch.tensor([6.0])", "torch.tensor([9.0])")
    declaration(folder).write_text(CHANGES + ANSWERS + only_tests)
    told = [f"{finding.where}: {finding.text}" for finding in prove(process_bench, folder).findings]
    refused = "three: a-reference.py: is not accepted with a third of each tolerance on seed"
    assert any(text.startswith(refused) for text in told)
    declaration(folder).write_text(CHANGES + ANSWERS + DIFFERENT.replace("x * 3 + 1.0", "solution.double(x) + 1.0"))
    (folder / "wrong.toml").write_text(WRONG.replace("shift + 3", "0 * shift"))
    told = [f"{finding.where}: {finding.text}" for finding in prove(process_bench, folder).findings]
    assert not any("wrong.toml" in text and "is accepted" in text for text in told)


def test_too_few_wrong_answers_apply(folder: Path, process_bench: Workbench) -> None:
    declaration(folder).write_text(CHANGES + ANSWERS + DIFFERENT)
    tables = WRONG.split("[[wrong]]\n")
    (folder / "wrong.toml").write_text("[[wrong]]\n".join(tables[:4]))
    (finding,) = prove(process_bench, folder).findings
    assert "only 3 wrong answers apply to this variant, at least 6 must" in finding.text


def test_the_author_sees_what_a_variant_changes(folder: Path) -> None:
    declaration(folder).write_text(CHANGES + ANSWERS + DIFFERENT)

    def shown(*arguments: str) -> tuple[int, str]:
        done = CliRunner().invoke(challenge, ["show-variant", *arguments, "--root", str(folder.parent.parent)])
        return done.exit_code, done.output

    assert shown("doubling") == (0, "two: twice\nthree: three times\n")
    code, text = shown("doubling", "three")
    assert code == 0
    assert "--- tests.py" in text
    assert "+    return 3 * x + shift" in text
    assert shown("doubling", "two") == (0, "")
    assert shown("doubling", "four")[0] == 1
    assert shown("nothing")[0] == 1

"""Checks what `gradus challenge measure` prints, and its messages for bad input. No cell is started."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from grader.contract.errors import Unavailable
from grader.contract.measurement import MeasuredSize, Measurement, MeasuringMachine, OperatorShare
from grader.gate.cli import challenge
from grader.gate.scored import measure
from grader.judging.measuring.measuring import AnswerFailed, MeasuringRequest

PACKAGE = Path(__file__).parents[2] / "attacks" / "package" / "hostile" / "attention"
DECLARED = """
quantity = "speed"
baseline = "b-einsum.py"

[[size]]
size = 64
steps = 200
flops = 1e6
bytes = 6e4

[[size]]
size = 2048
steps = 40
flops = 6.7e7
bytes = 5e5
"""
MACHINE = MeasuringMachine("A processor", "2.0", "runner", 90.0, 12.0)


def result(answer: float = 1e-3, **more: Any) -> Measurement:
    sizes = (MeasuredSize(64, 2e-6, 4e-6, 1e-6, 3), MeasuredSize(2048, answer, 2e-3, 5e-4, 12))
    return Measurement(sizes, 0.693147, 0.01, 7.0, 12, 14.2, MACHINE, **more)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copytree(PACKAGE, tmp_path / "hostile" / "attention")
    (tmp_path / "scored").mkdir()
    (tmp_path / "scored" / "attention.toml").write_text(DECLARED)
    (tmp_path / "scored" / "attention.py").write_text("def chain(solution, size, steps, seed): ...\n")
    return tmp_path


@pytest.fixture
def run(root: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str]]:
    def command(
        *arguments: str, measured: Callable[[MeasuringRequest], Measurement] = lambda _: result()
    ) -> tuple[int, str]:
        @contextmanager
        def workbench(cells: str, slots: int) -> Iterator[Any]:
            yield SimpleNamespace(spares=SimpleNamespace(retire=lambda _: None), judge_container=lambda: None)

        monkeypatch.setattr(measure, "workbench", workbench)
        monkeypatch.setattr(measure, "measure", lambda request, bench, lane: measured(request))
        done = CliRunner().invoke(challenge, ["measure", *arguments, "--root", str(root)], env={"COLUMNS": "100"})
        return done.exit_code, done.output

    return command


def test_all_accepted_answers_are_measured_by_default(run: Any) -> None:
    code, text = run("attention")
    assert code == 0
    assert "a-plain.py" in text
    assert "b-einsum.py" in text
    row = next(line for line in text.splitlines() if "2,048" in line)
    assert row.split() == ["2,048", "1", "ms", "2", "ms", "500", "µs", "2.00", "(1.92", "to", "2.09)", "12"]
    assert "A processor, torch 2.0, 90 GFLOP/s and 12 GB/s in one thread" in text


def test_one_file_is_measured_with_the_budget(run: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("mine = 1\n")
    seen: list[MeasuringRequest] = []

    def measured(asked: MeasuringRequest) -> Any:
        seen.append(asked)
        return result()

    code, text = run("attention", str(tmp_path / "mine.py"), "--budget", "5", measured=measured)
    assert (code, len(seen)) == (0, 1)
    assert (seen[0].source, seen[0].plan.budget_s) == ("mine = 1\n", 5)
    assert "mine.py" in text


def test_the_folder_may_be_given_instead_of_the_slug(run: Any, root: Path) -> None:
    assert run(str(root / "hostile" / "attention"))[0] == 0


def test_the_notes_say_what_to_doubt(run: Any) -> None:
    found = result(1e-5, shared="in 5 of 12 pairs", operators=(OperatorShare("m[b]m", 0.8),))
    _, text = run("attention", measured=lambda _: found)
    assert "a-plain.py: not reliable: in 5 of 12 pairs" in text
    assert "a-plain.py: below the floor at size 2,048" in text
    assert "m[b]m 80%" in text
    assert "size 64: the baseline's chain takes 800 µs; declare more steps" in text


def test_an_answer_that_fails_does_not_end_the_others(run: Any) -> None:
    def measured(asked: MeasuringRequest) -> Measurement:
        if "einsum" in asked.source:
            raise AnswerFailed("At size 64: wrong")
        return result()

    code, text = run("attention", measured=measured)
    assert code == 1
    assert "b-einsum.py: At size 64: wrong" in text
    assert "2.00 (1.92 to 2.09)" in text


def test_a_fault_of_the_grader_is_one_line(run: Any) -> None:
    def measured(asked: MeasuringRequest) -> Measurement:
        raise Unavailable("the Docker engine does not answer")

    assert run("attention", measured=measured) == (1, "the Docker engine does not answer\n")


def test_bad_input_says_what_to_do(run: Any, root: Path) -> None:
    assert "there is no challenge 'nothing' below" in run("nothing")[1]
    assert "absent.py cannot be read" in run("attention", "absent.py")[1]
    (root / "scored" / "attention.toml").unlink()
    code, text = run("attention")
    assert code == 1
    assert "attention is not measured: write" in text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(2.5, "2.5 s"), (0.0123, "12.3 ms"), (1e-3, "1 ms"), (4.2e-5, "42 µs"), (3e-10, "0.3 ns"), (0.0, "0 ns")],
)
def test_times_have_the_unit_that_fits(seconds: float, text: str) -> None:
    assert measure.duration(seconds) == text

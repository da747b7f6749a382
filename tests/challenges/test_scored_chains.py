"""Tests the chains with which answers to scored challenges are measured. Every right answer gives what the reference gives, and
an answer that leaves out a call or gets one element wrong gives something else.
"""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor

from grader.content.package import find, load
from grader.content.scored.declared import Scored, declaration, scored
from grader.testing import CheckFailed, assert_close

ROOT = Path(__file__).resolve().parents[2] / "challenges"
FOLDERS = [folder for folder in find(ROOT) if declaration(folder).is_file()]
EACH = pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
STEPS, SEED = 3, 11
# Gets the number of a call, its result and the results so far, and returns the result that the chain gets.
Change = Callable[[int, Any, list[Any]], Any]


def executed(source: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "answer"}
    exec(compile(source, "answer", "exec", dont_inherit=True), names)
    return names


def read(folder: Path) -> Scored:
    found = scored(folder)
    assert found is not None
    return found


def as_it_is(_number: int, result: Any, _so_far: list[Any]) -> Any:
    return result


class Answer:
    """The reference as the chain gets it, with its results changed by `change`. Records what it gets and returns."""

    def __init__(self, folder: Path, change: Change = as_it_is) -> None:
        package = load(folder)
        [entry] = package.info.entry
        self.results: list[Any] = []
        self.arguments: list[list[Tensor]] = []
        function = executed(package.reference)[entry.name]

        def called(*args: Any) -> Any:
            self.arguments.append([each.clone() for each in args if isinstance(each, Tensor)])
            self.results.append(change(len(self.results), function(*args), self.results))
            return self.results[-1]

        self.solution = SimpleNamespace(**{entry.name: called})


def run(folder: Path, solution: Any, *, steps: int = STEPS, seed: int = SEED) -> Tensor:
    """Run the chain at the smallest size."""
    known = read(folder)
    with torch.no_grad():
        result: Tensor = executed(known.chain)["chain"](solution, known.sizes[0].size, steps, seed)
    return result


def with_one_element_off(result: Any) -> Any:
    """Change one element of a result by about as much as the elements differ from each other."""
    if isinstance(result, tuple):
        *others, last = result
        return (*others, with_one_element_off(last))
    made = result.clone()
    place = (-1,) * made.dim()
    made[place] = made[place] + (made.std() if made.is_floating_point() else 1)
    return made


def differ(one: Tensor, other: Tensor) -> bool:
    try:
        assert_close(one, other)
    except CheckFailed:
        return True
    return False


def test_every_declaration_belongs_to_a_challenge() -> None:
    assert {path.stem for path in (ROOT / "scored").glob("*")} == {folder.name for folder in FOLDERS}


@EACH
def test_known_answers_agree_with_the_reference(folder: Path) -> None:
    expected = run(folder, Answer(folder).solution)
    assert expected.dim() == 2
    assert len(expected) == STEPS
    assert expected.numel() <= 100 * STEPS
    for label, source in read(folder).known.items():
        assert_close(run(folder, SimpleNamespace(**executed(source))), expected, name=label)


@EACH
def test_makes_as_many_calls_as_steps(folder: Path) -> None:
    answer = Answer(folder)
    run(folder, answer.solution, steps=5)
    assert len(answer.results) == 5


@EACH
def test_a_call_that_is_left_out_is_noticed(folder: Path) -> None:
    lazy = Answer(folder, lambda n, result, so_far: so_far[-1] if n == 1 else result)
    assert differ(run(folder, lazy.solution), run(folder, Answer(folder).solution))


@EACH
@pytest.mark.parametrize("step", range(STEPS))
def test_one_wrong_element_is_noticed(folder: Path, step: int) -> None:
    wrong = Answer(folder, lambda n, result, _: with_one_element_off(result) if n == step else result)
    found, expected = run(folder, wrong.solution), run(folder, Answer(folder).solution)
    assert differ(found[step], expected[step])
    assert torch.equal(found[:step], expected[:step])


@EACH
def test_inputs_depend_on_the_output_before(folder: Path) -> None:
    right = Answer(folder)
    wrong = Answer(folder, lambda n, result, _: with_one_element_off(result) if n == 0 else result)
    run(folder, right.solution)
    run(folder, wrong.solution)
    first, second, *_ = [
        all(torch.equal(a, b) for a, b in zip(one, other, strict=True))
        for one, other in zip(right.arguments, wrong.arguments, strict=True)
    ]
    assert (first, second) == (True, False)


@EACH
def test_no_call_repeats_the_inputs_of_another(folder: Path) -> None:
    answer, other = Answer(folder), Answer(folder)
    run(folder, answer.solution)
    run(folder, other.solution, seed=SEED + 1)
    calls = [*answer.arguments, *other.arguments]
    # The table of embeddings and the values of sequences stay the same during a chain; no call has all arguments of another.
    for n, one in enumerate(calls):
        for two in calls[:n]:
            assert not all(torch.equal(a, b) for a, b in zip(one, two, strict=True))


@EACH
def test_rounding_does_not_grow(folder: Path) -> None:
    """An output that is off in its last digits stays so: later steps do not multiply the difference."""
    expected = run(folder, Answer(folder).solution, steps=12)

    def rounded(result: Any) -> Any:
        if isinstance(result, tuple):
            return tuple(rounded(each) for each in result)
        return result * (1 + 1e-7) if result.is_floating_point() else result

    assert_close(run(folder, Answer(folder, lambda _n, result, _all: rounded(result)).solution, steps=12), expected)

"""Checks what candidates read about a failed test. The text must say what happened and where, in the words of the grader and
the author, and must not contain hidden values.
"""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from grader.inside.judge.explain import explain
from grader.inside.judge.remote.errors import remote_error
from grader.inside.serialization.failures import describe

SECRET = 31_415


def error_of(act: Callable[[], object]) -> BaseException:
    try:
        act()
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


def not_raised(*kinds: type[Exception]) -> Callable[[], object]:
    def act() -> None:
        with pytest.raises(kinds):
            pass

    return act


def other_message() -> None:
    with pytest.raises(ValueError, match=str(SECRET)):
        raise ValueError("another")


def unpacked(value: Any) -> tuple[Any, Any]:
    one, other = value
    return one, other


NOTHING: Any = None
NAME: Any = "ids"
SAID: dict[str, tuple[Callable[[], object], str]] = {
    "nothing raised": (not_raised(ValueError), "should have raised ValueError, and returned instead"),
    "neither raised": (
        not_raised(ValueError, TypeError),
        "should have raised ValueError or TypeError, and returned instead",
    ),
    "another message": (
        other_message,
        "raised the right type of exception, with another message than was asked for",
    ),
    "an attribute of None": (lambda: NOTHING.shape, "the answer returned None, which has no `shape`"),
    "an item of None": (lambda: NOTHING[0], "the answer returned None: it is not subscriptable"),
    "a loop over a number": (lambda: list(5), "the answer returned an int: it is not iterable"),  # type: ignore[call-overload]
    "the length of None": (lambda: len(NOTHING), "the answer returned None, which has no length"),
    "two values of None": (
        lambda: unpacked(None),
        "the answer returned None where several values were expected",
    ),
    "two values of one": (lambda: unpacked([SECRET]), "the answer did not return 2 values"),
    "two values of three": (lambda: unpacked([1, 2, SECRET]), "the answer did not return 2 values"),
    "an item by name": (lambda: {"a": SECRET}["loss"], "what the answer returned has no item `loss`"),
    "an item of a list by name": (
        lambda: [SECRET][NAME],
        "the answer returned a list, which has no items by name",
    ),
    "an item by number": (lambda: [SECRET][int(NOTHING is None)], "the answer returned fewer items than expected"),
    "a gradient of what has none": (
        lambda: torch.autograd.backward(torch.ones(())),
        "what the answer returned is detached: no gradient flows through it",
    ),
    "a gradient by what was not used": (
        lambda: torch.autograd.grad(torch.ones((), requires_grad=True) * 2, torch.ones(1, requires_grad=True)),
        "what the answer returned does not depend on an input that it should depend on",
    ),
}


@pytest.mark.parametrize("sample", [False, True], ids=["hidden", "sample"])
@pytest.mark.parametrize("name", SAID)
def test_a_failure_is_told_in_words_that_help(name: str, sample: bool) -> None:
    act, said = SAID[name]
    report = explain(error_of(act), sample=sample)
    assert (report["verdict"], report["message"]) == ("WA", said)


def plain() -> None:
    first, second = [SECRET, 2], [SECRET, 3]
    assert first == second


def failed() -> None:
    pytest.fail(f"not {SECRET}")


@pytest.mark.parametrize(
    "act",
    [
        *(plain, failed, lambda: {1: 2}[SECRET], lambda: int("x" + str(SECRET)), lambda: torch.ones(2).view(SECRET)),
        lambda: dict[str, int]()[f"{SECRET}"],
    ],
)
def test_a_hidden_test_tells_nothing_of_its_values(act: Callable[[], object]) -> None:
    report = explain(error_of(act), sample=False)
    assert report["verdict"] == "WA"
    assert str(SECRET) not in report["message"]
    assert str(SECRET) in explain(error_of(act), sample=True)["message"]


def test_a_sample_shows_an_assertion_without_advice_to_its_author() -> None:
    message = explain(error_of(plain), sample=True)["message"]
    assert "Use -v" not in message
    assert message


@pytest.mark.parametrize(
    ("line", "during", "said"),
    [
        (3, "in the backward pass", "RuntimeError in line 3 of your code"),
        (None, "in the backward pass", "RuntimeError in the backward pass"),
        (None, "when f was called", "RuntimeError when f was called"),
    ],
)
def test_an_exception_of_the_answer_has_a_place(line: int | None, during: str, said: str) -> None:
    error = remote_error({"type": "RuntimeError", "message": "m", "text": f"RuntimeError: {SECRET}", "line": line}, 9)
    error.during = during
    assert explain(error, sample=False) == {"verdict": "RE", "message": said, "line": line}
    assert str(SECRET) in explain(error, sample=True)["message"]


@pytest.mark.parametrize(
    ("raised", "text"), [(NotImplementedError(), "NotImplementedError"), (ValueError("no"), "ValueError: no")]
)
def test_an_exception_without_words_ends_without_a_colon(raised: Exception, text: str) -> None:
    assert describe(raised)["text"] == text

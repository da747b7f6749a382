"""Checks that the gate finds properties that the tests check although the statement does not mention them."""

from typing import Any

import msgspec
import pytest

from grader.content.authoring.undisclosed import undisclosed_properties


def complaints(make: Any, statement: str, tests: str) -> list[str]:
    package = msgspec.structs.replace(make(tests="test_a"), statement=statement, tests_source=tests)
    return [finding.text.partition(",")[0] for finding in undisclosed_properties(package)]


SAID = (
    ("Everything that is differentiable has gradients.", "assert_same_gradients(solution.f, reference.f, x)"),
    ("Its second derivative is right, too.", "assert_gradgradcheck(solution.f, x)  # and its gradients"),
    ("`x` is left as it was.", "assert_not_mutated(solution.f, x)"),
    ("Raises `ValueError` for a negative `n`.", "with pytest.raises(ValueError):"),
    ("What the model raises passes through.", "with pytest.raises((KeyError, ValueError)):"),
    ("For every floating-point dtype.", "x = rng.randn(3, dtype=torch.float64)"),
    ("Nothing is asked for.", "with pytest.raises(CheckFailed):"),
)


@pytest.mark.parametrize(("statement", "tests"), SAID)
def test_what_the_statement_speaks_of(make: Any, statement: str, tests: str) -> None:
    assert complaints(make, "With gradients? " * ("second" in statement) + statement, tests) == []


UNSAID = (
    ("assert_same_gradients(solution.f, reference.f, x)", "does not mention gradients"),
    ("y.sum().backward()", "does not mention gradients"),
    ("assert_not_mutated(solution.f, x)", "does not mention arguments staying as they are"),
    ("assert_mode_matters(solution.Layer, x)", "does not mention training and evaluation mode"),
    ("x = rng.randn(3, dtype=torch.float64)", "does not mention float64"),
    ("x = x.to(torch.bfloat16)", "does not mention half precision"),
    ("with pytest.raises(IndexError):", "does not say when IndexError is raised"),
)


@pytest.mark.parametrize(("tests", "complaint"), UNSAID)
def test_what_the_statement_keeps_to_itself(make: Any, tests: str, complaint: str) -> None:
    assert complaints(make, "Write `f(x)`.", tests) == [complaint]

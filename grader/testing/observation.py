"""Defines the `Observation` that the fixture `attest` returns to a test. An observation says what happened in the cell during a
call of the answer, such as which operators ran.

An observation is not a proof, because the answer runs in the process that reports it, and could forge it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.testing.comparison.checks import CheckFailed
from grader.testing.comparison.closeness import assert_close


@dataclass(frozen=True)
class Saved:
    """A tensor that was saved for the backward pass. If the tensor is an argument of the call, `is_input` is the argument's
    position, otherwise None.
    """

    shape: tuple[int, ...]
    dtype: str
    bytes: int
    is_input: int | None


@dataclass(frozen=True)
class Observation:
    """The result of one call, and what was observed during the call.

    `operators` says how often each ATen operator ("aten::bmm") and each torch function ("torch.matmul") was called. It also has
    the names of operators that could not be counted, because they ran inside another operator or in another thread. So use it
    to ask whether an operator ran; the number may be too low.

    `largest_numel` is the number of elements of the largest tensor that an operator produced. `extra_attributes` names the
    tensors that an autograd function kept on `ctx` without save_for_backward.
    """

    result: Any
    operators: dict[str, int]
    saved: list[Saved]
    largest_numel: int
    extra_attributes: list[str]

    @property
    def saved_bytes(self) -> int:
        """The size in bytes of all tensors that were saved for backward."""
        return sum(one.bytes for one in self.saved)


def observation(result: Any, seen: Mapping[str, Any]) -> Observation:
    """Create an Observation from the JSON data that `grader.inside.cell.observe` reported. Raises `ValueError` if the data is
    malformed.
    """
    return Observation(
        result=result,
        operators={_text(name): _number(count) for name, count in dict(seen["operators"]).items()},
        saved=[_saved(one) for one in seen["saved"]],
        largest_numel=_number(seen["largest_numel"]),
        extra_attributes=[_text(name) for name in seen["extra_attributes"]],
    )


def expect_same_result(watched: object, plain: object) -> None:
    """Raise `CheckFailed` if the observed call (`watched`) and the same call without observation (`plain`) returned different
    results, or if the two results cannot be compared.
    """
    __tracebackhide__ = True
    try:
        assert_close(watched, plain, rtol=0.0, atol=0.0, equal_nan=True)
    except CheckFailed:
        raise CheckFailed("the call gives another result when it is observed") from None
    except TypeError:  # for example, the result is a set; the answer chose this type, so the test is not at fault
        raise CheckFailed("the call gives a result that cannot be compared with the observed one") from None


def _saved(one: Mapping[str, Any]) -> Saved:
    place = one["is_input"]
    shape = tuple(_number(size) for size in one["shape"])
    return Saved(shape, _text(one["dtype"]), _number(one["bytes"]), None if place is None else _number(place))


def _number(value: Any) -> int:
    """Return the value if it is an int from 0 to 2**63 - 1. Raises `ValueError` for anything else. A forged NaN, for example,
    would pass a test that fails if a count is above a limit.
    """
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise ValueError("a count that is no whole number")
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise ValueError("a name that is no text")
    return value

"""Defines `assert_close`, which compares types, shapes, dtypes and finiteness, and then values with a tolerance for the dtype.

`actual` comes from an answer, which could return an object with hostile methods. So this module uses `actual` only if its exact
type is a known one. Messages never contain the values of `actual`.
"""

from dataclasses import dataclass
from types import EllipsisType
from typing import Any

import torch
from torch import Tensor

from grader.testing.comparison.checks import CheckFailed
from grader.testing.comparison.difference import Difference, dense, difference, index_of, wide
from grader.testing.comparison.tolerance import tolerance, tolerance_share

MAX_DEPTH = 32
EXACT = (type(None), bool, int, str, bytes, torch.dtype, torch.device, slice, EllipsisType)
TENSORS = (Tensor, torch.nn.Parameter)

_judging = {"device": torch.device("cpu")}


def set_judging_device(device: torch.device | str) -> None:
    """Set the device on which the answer runs. The judge calls this once per judging.

    Tolerances depend on this device. The tensors do not show it, because in the judge all tensors are on the CPU.
    """
    _judging["device"] = torch.device(device)


@dataclass(frozen=True)
class Rule:
    """How close values must be. `rtol` and `atol`, if given, replace the tolerances that are derived from the dtype."""

    rtol: float | None = None
    atol: float | None = None
    scale: float = 1.0
    equal_nan: bool = False

    def limits(self, dtype: torch.dtype, magnitude: float) -> tuple[float, float]:
        """Return (rtol, atol) for results of `dtype`. `magnitude` is the scale of the expected values, which is defined in
        `Difference`.
        """
        derived = tolerance(dtype, _judging["device"], self.scale)
        share = tolerance_share()
        rtol = share * (derived.relative if self.rtol is None else self.rtol)
        if self.atol is not None:
            return rtol, share * self.atol
        return rtol, type(derived)(rtol).absolute(magnitude)


def assert_close(  # noqa: PLR0913 - the options of torch.testing.assert_close, and two of ours
    actual: object,
    expected: object,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    scale: float = 1.0,
    equal_nan: bool = False,
    name: str = "output",
) -> None:
    """Fail unless `actual` has the type, shape and dtype of `expected`, and its values are close to those of `expected`.

    Accepts tensors, numbers, other plain values, and lists, tuples and dicts of these. An element may differ by `atol + rtol *
    |expected|`. The default of `rtol` is derived from the dtype and multiplied by `scale`. (A Python float counts as float32,
    because most floats in results come from calling `.item()` on a float32 tensor.) The default of `atol` is `rtol` times the
    scale of the expected values (see `Difference.scale`). Bools and integers must be equal, and infinities must match. NaN
    equals NaN only with `equal_nan`.

    Raises `CheckFailed` if the check fails, and `TypeError` if `expected` has a type that cannot be compared.
    """
    __tracebackhide__ = True
    _compare(actual, expected, Rule(rtol, atol, scale, equal_nan), name)


def _compare(actual: Any, expected: Any, rule: Rule, name: str, depth: int = 0) -> None:
    __tracebackhide__ = True
    if depth > MAX_DEPTH:
        raise CheckFailed(f"{name}: nested too deeply")
    if isinstance(expected, Tensor):
        _compare_tensors(actual, expected, rule, name)
    elif isinstance(expected, list | tuple):
        _compare_sequences(actual, expected, rule, name, depth)
    elif isinstance(expected, dict):
        _compare_dicts(actual, expected, rule, name, depth)
    elif type(expected) in (float, complex):
        _compare_numbers(actual, expected, rule, name)
    elif type(expected) in EXACT:
        _expect_type(actual, (type(expected),), name)
        if actual != expected:
            raise CheckFailed(f"{name}: the value is wrong")
    else:
        raise TypeError(f"assert_close cannot compare with {type(expected).__name__}: expected must be plain data")


def _expect_type(actual: object, accepted: tuple[type, ...], name: str) -> None:
    __tracebackhide__ = True
    if not any(type(actual) is one for one in accepted):
        raise CheckFailed(f"{name}: {accepted[0].__name__} expected, got {type(actual).__name__[:60]}")


def _compare_sequences(actual: Any, expected: Any, rule: Rule, name: str, depth: int) -> None:
    __tracebackhide__ = True
    plain = list if isinstance(expected, list) else tuple
    _expect_type(actual, (plain, type(expected)), name)
    if len(actual) != len(expected):
        raise CheckFailed(f"{name}: {len(expected)} items expected, got {len(actual)}")
    for i, (one, other) in enumerate(zip(actual, expected, strict=True)):
        _compare(one, other, rule, f"{name}[{i}]", depth + 1)


def _compare_dicts(actual: Any, expected: dict[Any, Any], rule: Rule, name: str, depth: int) -> None:
    __tracebackhide__ = True
    _expect_type(actual, (dict, type(expected)), name)
    wanted = {(type(key), key) for key in expected}
    found = {(type(key), key) for key in actual}
    if wanted != found:
        raise CheckFailed(f"{name}: {len(wanted - found)} keys are missing, {len(found - wanted)} are not expected")
    for key, other in expected.items():
        _compare(actual[key], other, rule, f"{name}[{str(key)[:60]!r}]", depth + 1)


def _compare_numbers(actual: Any, expected: float | complex, rule: Rule, name: str) -> None:
    __tracebackhide__ = True
    accepted = (float, int) if type(expected) is float else (complex, float, int)
    _expect_type(actual, accepted, name)
    dtype = torch.float64 if type(expected) is float else torch.complex128
    rounded = torch.float32 if type(expected) is float else torch.complex64
    try:
        number = type(expected)(actual)
    except OverflowError:
        raise CheckFailed(f"{name}: the value is too large") from None
    rtol, atol = rule.limits(rounded, abs(expected))
    if abs(number - expected) <= atol + rtol * abs(expected) < float("inf"):
        return
    found = difference(torch.tensor(number, dtype=dtype), torch.tensor(expected, dtype=dtype), equal_nan=rule.equal_nan)
    _judge(found, rule.limits(rounded, found.scale), name)


def _compare_tensors(actual: Any, expected: Tensor, rule: Rule, name: str) -> None:
    __tracebackhide__ = True
    if not any(type(actual) is one for one in TENSORS):
        raise CheckFailed(f"{name}: a tensor expected, got {type(actual).__name__[:60]}")
    if actual.shape != expected.shape:
        raise CheckFailed(f"{name}: shape {tuple(expected.shape)} expected, got {tuple(actual.shape)}")
    if actual.dtype != expected.dtype:
        raise CheckFailed(f"{name}: dtype {_dtype(expected)} expected, got {_dtype(actual)}")
    if actual.layout != expected.layout:
        raise CheckFailed(f"{name}: {_layout(expected)} expected, got {_layout(actual)}")
    if actual.is_meta or expected.is_meta:
        _compare_places(actual, expected, name)
    elif expected.dtype.is_floating_point or expected.dtype.is_complex:
        one, other = wide(actual), wide(expected)
        if torch.equal(one, other):
            return
        # The tolerance of tensors near 0 is the smallest one, and no scale has to be computed for it. Most results are within it.
        rtol, atol = rule.limits(expected.dtype, 0.0)
        if torch.allclose(one, other, rtol=rtol, atol=atol, equal_nan=rule.equal_nan):
            return
        found = difference(one, other, equal_nan=rule.equal_nan)
        _judge(found, rule.limits(expected.dtype, found.scale), name)
    elif bool((off := dense(actual) != dense(expected)).any()):
        raise CheckFailed(f"{name}: {_count(off)} are wrong{_first(off)}")


def _compare_places(actual: Tensor, expected: Tensor, name: str) -> None:
    """Fail unless both tensors are on the meta device, where tensors have no values."""
    __tracebackhide__ = True
    if actual.is_meta != expected.is_meta:
        raise CheckFailed(f"{name}: {_values(expected)} expected, got {_values(actual)}")


def _judge(found: Difference, limits: tuple[float, float], name: str) -> None:
    __tracebackhide__ = True
    rtol, atol = limits
    if bool(found.broken.any()):
        raise CheckFailed(f"{name}: {_count(found.broken)} are not finite{_first(found.broken)}")
    if bool(found.missing.any()):
        raise CheckFailed(f"{name}: {_count(found.missing)} are finite and should not be{_first(found.missing)}")
    off = found.error > atol + rtol * found.magnitude
    if bool(off.any()):
        raise CheckFailed(f"{name}: {_largest(found, off)}")


def _largest(found: Difference, off: Tensor) -> str:
    errors = torch.where(off, found.error, 0.0).reshape(-1)
    flat = int(errors.argmax())
    error, magnitude = float(errors[flat]), float(found.magnitude.reshape(-1)[flat])
    relative = f" (relative {error / magnitude:.2g})" if magnitude > 0 else ""
    place = f" at {index_of(flat, off.shape)}" if off.dim() else ""
    return f"largest error {error:.2g}{place}{relative}, {_count(off)} are off"


def _count(which: Tensor) -> str:
    return f"{int(which.sum())} of {which.numel()} values"


def _first(which: Tensor) -> str:
    if not which.dim():
        return ""
    return f", the first at {index_of(int(which.reshape(-1).int().argmax()), which.shape)}"


def _dtype(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _values(tensor: Tensor) -> str:
    return "a tensor of the meta device" if tensor.is_meta else "a tensor with values"


def _layout(tensor: Tensor) -> str:
    return "a dense tensor" if tensor.layout is torch.strided else "a sparse tensor"

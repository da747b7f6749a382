"""Derives edge inputs from the arguments of a call. The text of this file runs in the cell; the gate does not import it."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

PLAIN = (type(None), bool, int, float, complex, str, bytes, torch.dtype, torch.device, torch.Size, slice)
Change = Callable[[Any], Any]


def is_plain(value: Any) -> bool:
    """Return whether a value is plain data, which can be copied and given to several answers."""
    if isinstance(value, dict):
        return all(map(is_plain, value.values()))
    if type(value) in (list, tuple, set):
        return all(map(is_plain, value))
    if type(value) in (Tensor, torch.nn.Parameter):
        return value.layout is torch.strided
    return type(value) in PLAIN or isinstance(value, torch.Generator)


def copied(value: Any, change: Change = lambda item: item) -> Any:
    """Return a deep copy of plain data, in which `change` has replaced every tensor and every list of floats."""
    if isinstance(value, dict):
        return {key: copied(item, change) for key, item in value.items()}
    if isinstance(value, Tensor):
        made = value.detach().clone(memory_format=torch.preserve_format)
        return change(made.requires_grad_(value.requires_grad))
    if isinstance(value, torch.Generator):
        return value.clone_state()
    if type(value) is list and value and all(type(item) is float for item in value):
        return change(list(value))
    if type(value) in (list, tuple):
        return type(value)(copied(item, change) for item in value)
    return set(value) if type(value) is set else value


def variants(arguments: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield edge inputs, each with the argument that is changed and the kind of the change.

    Changes without an effect are left out. The number of rows is changed in all arguments at once, with an empty name, and only
    if all have the same number of rows.
    """
    for kind, change in CHANGES.items():
        for name, value in arguments.items():
            made, changed = _changed(value, change)
            if changed:
                yield name, kind, {**arguments, name: made}
    if len({item.shape[0] if item.dim() else -1 for item in _tensors(arguments)}) == 1:
        for kind, change in CUTS.items():
            made, changed = _changed(arguments, change)
            if changed:
                yield "", kind, made


def _changed(value: Any, change: Change) -> tuple[Any, bool]:
    changed: list[bool] = []

    def noting(item: Any) -> Any:
        new = change(item.detach() if isinstance(item, Tensor) else item)
        if new is None:
            return item
        changed.append(True)
        return new.requires_grad_(item.requires_grad) if isinstance(new, Tensor) else new

    return copied(value, noting), bool(changed)


def features(arguments: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what arguments contain, as pairs of an argument and a feature. For rows, the argument is empty. `NEEDED` in
    grader/gate/agreement.py uses the names of the features.
    """
    for name, value in arguments.items():
        for item in _tensors(value):
            if item.dim():
                yield from (
                    ("", feature) for feature, rows in (("no rows", 0), ("one row", 1)) if item.shape[0] == rows
                )
                if item.shape[0] > 1 and bool((item[:1] == item).all()):
                    yield name, "equal rows"
            if item.is_floating_point():
                found = {"inf": item == math.inf, "-inf": item == -math.inf, "nan": item.isnan(), "zero": item == 0}
                yield from ((name, feature) for feature, where in found.items() if bool(where.any()))


def _tensors(value: Any) -> list[Tensor]:
    """Return the tensors in plain data, and its lists of floats as tensors."""
    found: list[Tensor] = []
    copied(value, lambda item: found.append(item.detach() if isinstance(item, Tensor) else torch.tensor(item)))
    return found


def _with_one(value: float) -> Change:
    def change(item: Any) -> Any:
        if isinstance(item, list):
            return [value, *item[1:]]
        if not item.is_floating_point() or not item.numel():
            return None
        made = item.clone()
        made[(0,) * made.dim()] = value
        return made

    return change


def _all_but_the_last(value: float) -> Change:
    def change(item: Any) -> Any:
        if isinstance(item, list):
            return [value] * (len(item) - 1) + item[-1:]
        if not item.is_floating_point() or item.dim() == 0 or item.shape[0] < 2:
            return None
        return torch.cat([torch.full_like(item[:-1], value), item[-1:]])

    return change


def _equal_rows(item: Any) -> Any:
    if isinstance(item, list):
        return [item[0]] * len(item) if len(item) > 1 else None
    return item[:1].expand_as(item).clone() if item.dim() and item.shape[0] > 1 else None


def _shortened(length: int) -> Change:
    def change(item: Any) -> Any:
        if isinstance(item, list):
            return item[:length] if len(item) > length else None
        return item[:length].clone() if item.dim() and item.shape[0] > length else None

    return change


def _strided(item: Any) -> Any:
    return None if isinstance(item, list) or item.numel() < 2 else torch.stack([item, item], -1)[..., 0]


CHANGES: dict[str, Change] = {
    "an infinity": _with_one(math.inf),
    "a negative infinity": _with_one(-math.inf),
    "infinities": _all_but_the_last(math.inf),
    "NaN": _with_one(math.nan),
    "NaNs": _all_but_the_last(math.nan),
    "a zero": _with_one(0.0),
    "a negative zero": _with_one(-0.0),
    "zeros": _all_but_the_last(0.0),
    "equal rows": _equal_rows,
    "strides": _strided,
}
CUTS: dict[str, Change] = {"no rows": _shortened(0), "one row": _shortened(1)}

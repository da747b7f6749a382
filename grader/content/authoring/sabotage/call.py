"""Represents a call that a test makes to an answer. The text of this file runs in the cell; the gate does not import it."""

import re
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from grader.content.authoring.sabotage.noticing import tensors_in


class Call:
    """A call that a test makes. Calling this object makes the call. `me` is the object whose method is called, or None."""

    def __init__(
        self, function: Callable[..., Any], bound: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self.function, self.args, self.kwargs = function, args, kwargs
        self.me: Any = args[0] if bound else None
        self.given = args[1:] if bound else args

    def __call__(self) -> Any:
        return self.function(*self.args, **self.kwargs)

    def exchanged(self, swap: Callable[[Any], Any]) -> Any:
        """Make the call with `swap(argument)` in place of every argument."""
        mine = self.args[: len(self.args) - len(self.given)]
        return self.function(*mine, *map(swap, self.given), **{name: swap(item) for name, item in self.kwargs.items()})

    def tensors(self) -> list[Tensor]:
        """Return the non-empty floating-point tensors in the arguments, including those inside lists, dicts and modules."""
        return [t for t in tensors_in([self.given, self.kwargs]) if t.is_floating_point() and t.numel()]

    def differentiable(self) -> list[Tensor]:
        """Return the arguments that are tensors and require grad."""
        return [t for t in (*self.given, *self.kwargs.values()) if isinstance(t, Tensor) and t.requires_grad]

    def negative(self) -> bool:
        """Return whether the sum of the first floating-point tensor in the arguments is negative."""
        return any(bool(t.sum() < 0) for t in self.tensors()[:1])

    def key(self) -> tuple[Any, ...]:
        """Return a key for remembering results. Calls of a function on the same object have the same key if they differ only in
        the values of tensors, in the states of random number generators, or in functions of the same name.
        """
        given, options = map(_part_of_key, self.given), ((name, _part_of_key(v)) for name, v in self.kwargs.items())
        return id(self.function), id(self.me), *given, *options

    def state(self) -> list[Any]:
        """Return copies of everything that a call can change: the arguments, the object, and torch's random state."""
        numbers = [v for v in vars(self.me).values() if type(v) in (int, float)] if hasattr(self.me, "__dict__") else []
        with torch.no_grad():
            found = [
                c for t in tensors_in([self.me, self.args, self.kwargs]) for c in (t, t.grad if t.is_leaf else None)
            ]
            return [torch.get_rng_state(), *numbers, *(c.detach().clone() for c in found if c is not None)]


def _part_of_key(item: Any) -> Any:
    """Return the part of `Call.key` that describes an argument."""
    if isinstance(item, Tensor):
        return tuple(item.shape)
    # Memory addresses are removed from the text. With them, chance would decide whether two objects have the same key, because
    # Python may give a new object the address of a deleted one.
    return re.sub(r" at 0x[0-9a-f]+", "", repr(item))[:60]

"""One call of an answer from outside, as it is seen in a cell. Text, never imported by the gate."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from grader.gate.sabotage.seeing import tensors_in


class Call:
    """One call from outside. `call()` does what the reference does; `me` is the object whose method it is."""

    def __init__(
        self, function: Callable[..., Any], bound: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self.function, self.args, self.kwargs = function, args, kwargs
        self.me: Any = args[0] if bound else None
        self.given = args[1:] if bound else args

    def __call__(self) -> Any:
        return self.function(*self.args, **self.kwargs)

    def exchanged(self, swap: Callable[[Any], Any]) -> Any:
        """The same call with other arguments."""
        mine = self.args[: len(self.args) - len(self.given)]
        return self.function(*mine, *map(swap, self.given), **{name: swap(item) for name, item in self.kwargs.items()})

    def tensors(self) -> list[Tensor]:
        """Floating-point tensors among the arguments; lists, dicts and modules are looked into."""
        return [t for t in tensors_in([self.given, self.kwargs]) if t.is_floating_point() and t.numel()]

    def differentiable(self) -> list[Tensor]:
        """Tensor arguments that ask for gradients."""
        return [t for t in (*self.given, *self.kwargs.values()) if isinstance(t, Tensor) and t.requires_grad]

    def negative(self) -> bool:
        """Whether the first floating-point tensor's sum is negative."""
        return any(bool(t.sum() < 0) for t in self.tensors()[:1])

    def key(self) -> tuple[Any, ...]:
        """The same for two calls of one function on one object with arguments that look alike but for their numbers."""
        shapes = [tuple(item.shape) if isinstance(item, Tensor) else repr(item)[:60] for item in self.given]
        options = [(k, tuple(v.shape) if isinstance(v, Tensor) else repr(v)[:60]) for k, v in self.kwargs.items()]
        return id(self.function), id(self.me), repr(shapes), repr(options)

    def state(self) -> list[Any]:
        """Copies of all that a call may change: arguments, the object, the random state."""
        numbers = [v for v in vars(self.me).values() if type(v) in (int, float)] if hasattr(self.me, "__dict__") else []
        with torch.no_grad():
            found = [
                c for t in tensors_in([self.me, self.args, self.kwargs]) for c in (t, t.grad if t.is_leaf else None)
            ]
            return [torch.get_rng_state(), *numbers, *(c.detach().clone() for c in found if c is not None)]

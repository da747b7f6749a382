"""Sends instances of classes in given.py as (class, constructor arguments, state). given.py is code that the author provides;
the judge and the cell have both loaded it.

Constructor arguments are recorded by wrapping `__init__` when given.py is loaded. The state of an nn.Module consists of its
parameters, its buffers, and whether it is in training mode. The state of any other object is the result of its state_dict(); an
object without state_dict() and load_state_dict() has no state. State is sent in both directions.
"""

import functools
import types
from collections.abc import Callable
from typing import Any

import torch

from grader.inside.loading import module_from
from grader.inside.serialization import parameters
from grader.inside.serialization.values import Decoder, Tree

_ARGUMENTS = "_gradus_arguments"
Encode = Callable[[Any], Tree]


def load_given(source: str) -> types.ModuleType:
    """Execute given.py (candidates can read it), and make its classes record their constructor arguments."""
    module = module_from("given", source, "given.py")
    for value in list(vars(module).values()):
        if isinstance(value, type) and value.__module__ == "given":
            _remember_arguments(value)
    return module


def _remember_arguments(cls: type) -> None:
    original = cls.__init__  # type: ignore[misc]

    @functools.wraps(original)
    def remembering(self: Any, *args: Any, **kwargs: Any) -> None:
        if type(self) is cls:
            object.__setattr__(self, _ARGUMENTS, (args, kwargs))
        original(self, *args, **kwargs)

    cls.__init__ = remembering  # type: ignore[misc]


def is_given(value: Any) -> bool:
    """Return whether `value` is an instance of a class in given.py."""
    return type(value).__module__ == "given" and hasattr(value, _ARGUMENTS)


def has_state(value: Any) -> bool:
    """Return whether an object that is not a module has a state that must be sent."""
    return hasattr(value, "state_dict") and hasattr(value, "load_state_dict")


def encode_given(value: Any, encode: Encode) -> Tree:
    """Encode an instance of a class in given.py."""
    args, kwargs = getattr(value, _ARGUMENTS)
    made = [encode(list(args)), encode(dict(kwargs))]
    if isinstance(value, torch.nn.Module):
        return ["given", type(value).__name__, *made, ["m", value.training, encode(_module_state(value))]]
    return ["given", type(value).__name__, *made, ["s", encode(value.state_dict())] if has_state(value) else None]


def _module_state(module: torch.nn.Module) -> dict[str, list[Any]]:
    """Return the value, requires_grad and gradient of each parameter and buffer, by name."""
    tensors = (*module.named_parameters(), *module.named_buffers())
    return {name: [t.detach(), t.requires_grad, t.grad if t.is_leaf else None] for name, t in tensors}


def build_given(module: types.ModuleType, rest: list[Any], decoder: Decoder) -> Any:
    """Create the instance that a tree describes, from the given.py that this process has loaded."""
    name, args, kwargs, state = rest
    value = getattr(module, name)(*decoder.decode(args), **decoder.decode(kwargs))
    if state is not None and state[0] == "m":
        for key, (tensor, requires_grad, grad) in decoder.decode(state[2]).items():
            parameters.apply(named_tensor(value, key), {"v": tensor, "r": requires_grad, "g": grad})
        value.train(state[1])
    elif state is not None:
        value.load_state_dict(decoder.decode(state[1]))
    return value


def named_tensor(module: torch.nn.Module, name: str) -> torch.Tensor:
    """Find a parameter or buffer by its dotted name. Raises AttributeError or KeyError if there is none."""
    path, _, leaf = name.rpartition(".")
    tensor = getattr(module.get_submodule(path), leaf)
    if not isinstance(tensor, torch.Tensor):
        raise KeyError(name)
    return tensor

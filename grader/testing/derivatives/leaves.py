"""Prepares a call for differentiation. Chooses the variables of the call and gives them names for messages. The variables are
the tensors in the arguments with respect to which the call is differentiated.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from grader.testing.comparison.trees import copied, map_tensors, named_tensors, once_each


@dataclass(frozen=True)
class Variables:
    """The arguments of a call. `tensors` contains the variables of the call, by name: the tensors in the arguments with respect
    to which the call is differentiated.
    """

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    tensors: dict[str, Tensor]

    def leaves(self) -> dict[str, Tensor]:
        """Return copies of the variables, by name. The copies are leaf tensors that require grad."""
        return {name: copied(tensor).requires_grad_() for name, tensor in self.tensors.items()}

    def call(self, f: Callable[..., Any], leaves: Mapping[str, Tensor]) -> Any:
        """Call f with `leaves` in place of the variables, and with copies of all other tensors in the arguments."""
        given = {id(tensor): leaves[name] for name, tensor in self.tensors.items()}
        fresh = once_each(lambda tensor: given[id(tensor)] if id(tensor) in given else copied(tensor))
        return f(*map_tensors(fresh, self.args), **map_tensors(fresh, dict(self.kwargs)))


def variables(
    inputs: Sequence[Any] | Tensor,
    kwargs: Mapping[str, Any],
    wrt: Sequence[int | str] | None,
    names: Sequence[str],
) -> Variables:
    """Name the arguments of a call, and choose its variables. These are all floating-point and complex tensors in the
    arguments. If `wrt` is given, they are only the tensors in the arguments that `wrt` lists.

    A positional argument gets its name from `names`. If `names` is too short, the name is "input" and the position, such as
    "input 0". The name of a keyword argument is its keyword. A tensor that is passed twice is one variable. Raises `ValueError`
    if `wrt` lists an unknown argument, or if there are no variables.
    """
    args = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    labels = [names[i] if i < len(names) else f"input {i}" for i in range(len(args))]
    arguments = dict(zip(labels, args, strict=True)) | dict(kwargs)
    if len(arguments) != len(args) + len(kwargs):
        raise ValueError("names: every argument needs a name of its own")
    chosen = _chosen(list(arguments), wrt)
    tensors: dict[str, Tensor] = {}
    for label in chosen:
        for name, tensor in named_tensors(arguments[label], label):
            if differentiable(tensor) and not any(tensor is other for other in tensors.values()):
                tensors[name] = tensor
    if not tensors:
        raise ValueError("nothing to differentiate by: no input is a floating tensor")
    return Variables(args, kwargs, tensors)


def _chosen(labels: list[str], wrt: Sequence[int | str] | None) -> list[str]:
    if wrt is None:
        return labels
    unknown = [w for w in wrt if (w not in labels if isinstance(w, str) else not 0 <= w < len(labels))]
    if unknown:
        raise ValueError(f"wrt: {unknown[0]!r} is none of the arguments: {', '.join(labels)}")
    return [w if isinstance(w, str) else labels[w] for w in wrt]


def differentiable(tensor: Tensor) -> bool:
    """Return whether a tensor can have a gradient, which is the case if its dtype is floating-point or complex."""
    return tensor.dtype.is_floating_point or tensor.dtype.is_complex


def random_like(tensor: Tensor, generator: torch.Generator) -> Tensor:
    """Draw standard normal values (complex ones for a complex tensor) with the tensor's shape, dtype and device."""
    dtype = torch.complex128 if tensor.dtype.is_complex else torch.float64
    return torch.randn(tensor.shape, dtype=dtype, generator=generator).to(tensor.device, tensor.dtype)


def listed(names: Sequence[str]) -> str:
    """Join names as in an English sentence: "q", "q and k", "q, k and v"."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]

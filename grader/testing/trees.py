"""Arguments and results as trees: lists, tuples and dicts with tensors at their leaves."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor


def named_tensors(tree: object, name: str) -> Iterator[tuple[str, Tensor]]:
    """Every tensor with its path below `name`: ("output[0]", tensor)."""
    if isinstance(tree, Tensor):
        yield name, tree
    elif isinstance(tree, list | tuple):
        for i, item in enumerate(tree):
            yield from named_tensors(item, f"{name}[{i}]")
    elif isinstance(tree, dict):
        for key, item in tree.items():
            yield from named_tensors(item, f"{name}[{str(key)[:60]!r}]")


def map_tensors(change: Callable[[Tensor], Tensor], tree: Any) -> Any:
    """The same tree with new containers and changed tensors. Generators are copied with their state; the rest stays."""
    if isinstance(tree, Tensor):
        return change(tree)
    if isinstance(tree, torch.Generator):
        return tree.clone_state()
    if type(tree) in (list, tuple):
        return type(tree)([map_tensors(change, item) for item in tree])
    if isinstance(tree, tuple) and hasattr(tree, "_make"):
        return tree._make(map_tensors(change, item) for item in tree)
    if isinstance(tree, dict):
        return type(tree)({key: map_tensors(change, item) for key, item in tree.items()})
    return tree


def once_each(change: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """`change`, but a tensor that is met again gives the same new tensor: attention(x, x, x) keeps one x."""
    made: dict[int, tuple[Tensor, Tensor]] = {}

    def changed(tensor: Tensor) -> Tensor:
        # the original is kept with the copy, so its id cannot be given to another tensor meanwhile
        if id(tensor) not in made:
            made[id(tensor)] = (tensor, change(tensor))
        return made[id(tensor)][1]

    return changed


def copied(tensor: Tensor) -> Tensor:
    """A leaf with equal values and strides and its own storage; expanded and sliced tensors stay so."""
    plain = tensor.detach().resolve_conj().resolve_neg()
    if plain.layout is not torch.strided or plain.numel() == 0:
        return plain.clone()
    span = 1 + sum((size - 1) * stride for size, stride in zip(plain.shape, plain.stride(), strict=True))
    storage = plain.as_strided((span,), (1,)).clone()
    return storage.as_strided(plain.shape, plain.stride(), 0).detach()


def copied_tree(tree: Any) -> Any:
    """Copies of all tensors, those with requires_grad as leaves of their own."""
    return map_tensors(once_each(lambda t: copied(t).requires_grad_(t.requires_grad)), tree)

"""Handles arguments and results as trees: lists, tuples and dicts with tensors at their leaves."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor


def named_tensors(tree: object, name: str) -> Iterator[tuple[str, Tensor]]:
    """Yield every tensor of a tree with its path below `name`, such as ("output[0]", tensor)."""
    if isinstance(tree, Tensor):
        yield name, tree
    elif isinstance(tree, list | tuple):
        for i, item in enumerate(tree):
            yield from named_tensors(item, f"{name}[{i}]")
    elif isinstance(tree, dict):
        for key, item in tree.items():
            yield from named_tensors(item, f"{name}[{str(key)[:60]!r}]")


def map_tensors(change: Callable[[Tensor], Tensor], tree: Any) -> Any:
    """Return a copy of a tree with `change` applied to every tensor. Copies each torch.Generator with its state, and keeps all
    other leaves as the same objects.
    """
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
    """Return a function that calls `change` only once for each tensor, and later returns the same copy for the same tensor. So
    a call such as attention(x, x, x) gets one copy of x three times, and not three copies.
    """
    made: dict[int, tuple[Tensor, Tensor]] = {}

    def changed(tensor: Tensor) -> Tensor:
        # `made` keeps the original tensor too, so that it stays alive and no other tensor can get its id
        if id(tensor) not in made:
            made[id(tensor)] = (tensor, change(tensor))
        return made[id(tensor)][1]

    return changed


def copied(tensor: Tensor) -> Tensor:
    """Return a leaf tensor with the same values and strides as `tensor`, but its own storage. The copy of an expanded or sliced
    tensor has the same layout as the original.
    """
    plain = tensor.detach().resolve_conj().resolve_neg()
    if plain.layout is not torch.strided or plain.numel() == 0:
        return plain.clone()
    span = 1 + sum((size - 1) * stride for size, stride in zip(plain.shape, plain.stride(), strict=True))
    storage = plain.as_strided((span,), (1,)).clone()
    return storage.as_strided(plain.shape, plain.stride(), 0).detach()


def copied_tree(tree: Any) -> Any:
    """Return a copy of a tree and all its tensors. The copied tensors are leaves and have the same requires_grad as the
    originals.
    """
    return map_tensors(once_each(lambda t: copied(t).requires_grad_(t.requires_grad)), tree)

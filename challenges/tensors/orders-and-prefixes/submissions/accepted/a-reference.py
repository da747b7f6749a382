"""Reference: the position of an element is the number of elements before it; prefixes are found by doubling."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

COMBINE: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "sum": torch.add,
    "product": torch.mul,
    "max": torch.maximum,
}


def first_extreme(x: Tensor, dim: int, largest: bool = True) -> Tensor:
    x = x.detach().movedim(dim, -1)
    best = x.amax(-1, keepdim=True) if largest else x.amin(-1, keepdim=True)
    place = torch.arange(x.shape[-1])
    return torch.where(x == best, place, x.shape[-1]).amin(-1)


def stable_order(x: Tensor) -> Tensor:
    place = torch.arange(x.shape[-1])
    row, column = x[..., None, :], x[..., :, None]
    before = (row < column) | ((row == column) & (place < place[:, None]))
    rank = before.sum(-1)  # how many come before each element
    return torch.zeros_like(rank).scatter(-1, rank, place.expand_as(rank))


def top_k(x: Tensor, k: int) -> tuple[Tensor, Tensor]:
    n = x.shape[-1]
    if not 0 <= k <= n:
        raise ValueError(f"k must be between 0 and {n}")
    # Sorting the reversed row and reversing the result puts the largest first, and the first of equals first.
    indices = n - 1 - stable_order(x.detach().flip(-1)).flip(-1)[..., :k]
    return x.gather(-1, indices), indices


def prefix(x: Tensor, kind: str) -> Tensor:
    if kind not in COMBINE:
        raise ValueError(f"unknown kind {kind!r}")
    step = 1
    while step < x.shape[-1]:  # each place now holds the result of the last `step` elements
        x = torch.cat([x[..., :step], COMBINE[kind](x[..., step:], x[..., :-step])], dim=-1)
        step *= 2
    return x.clone()


def window_sums(x: Tensor, w: int) -> Tensor:
    if w < 1:
        raise ValueError("w must be at least 1")
    w = min(w, x.shape[-1])
    return F.pad(x, (w - 1, 0)).unfold(-1, w, 1).sum(-1)

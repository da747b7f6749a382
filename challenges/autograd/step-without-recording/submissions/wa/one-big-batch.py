# caught by: test_targets[float64-list]
"""Joins the batches and splits the result again: one call instead of several."""


from collections.abc import Callable, Iterable

import torch
from torch import Tensor


@torch.no_grad()
def sgd_step_(params: Iterable[Tensor], lr: float | Tensor, weight_decay: float = 0.0) -> None:
    for p in params:
        if p.grad is not None:
            p.sub_(lr * (p.grad + weight_decay * p))


def teacher_targets(forward: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> list[Tensor]:
    together = list(batches)
    if len(together) < 3:
        with torch.no_grad():
            return [forward(batch) for batch in together]
    with torch.no_grad():
        return list(forward(torch.cat(together)).split([len(b) for b in together]))

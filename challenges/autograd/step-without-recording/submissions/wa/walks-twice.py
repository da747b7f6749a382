# caught by: test_parameters_from_an_iterator
"""Counts the parameters first, which uses the generator up."""


from collections.abc import Callable, Iterable

import torch
from torch import Tensor


@torch.no_grad()
def sgd_step_(params: Iterable[Tensor], lr: float | Tensor, weight_decay: float = 0.0) -> None:
    if not sum(p.grad is not None for p in params):
        return
    for p in params:
        if p.grad is not None:
            p.sub_(lr * (p.grad + weight_decay * p))


def teacher_targets(forward: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> list[Tensor]:
    with torch.no_grad():
        return [forward(batch) for batch in batches]

# caught by: test_parameters_stay_the_same_leaves
"""Assigns new memory to .data: views and fused buffers keep the old weights."""


from collections.abc import Callable, Iterable

import torch
from torch import Tensor


@torch.no_grad()
def sgd_step_(params: Iterable[Tensor], lr: float | Tensor, weight_decay: float = 0.0) -> None:
    for p in params:
        if p.grad is not None:
            fresh = p - lr * (p.grad + weight_decay * p)
            p.mul_(1)
            p.data = fresh


def teacher_targets(forward: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> list[Tensor]:
    with torch.no_grad():
        return [forward(batch) for batch in batches]

# caught by: test_gradients_are_left_alone[plain]
"""Clears what is not its own."""


from collections.abc import Callable, Iterable

import torch
from torch import Tensor


@torch.no_grad()
def sgd_step_(params: Iterable[Tensor], lr: float | Tensor, weight_decay: float = 0.0) -> None:
    many = 0
    for p in params:
        if p.grad is not None:
            p.sub_(lr * (p.grad + weight_decay * p))
            many += 1
            p.grad = None if many > 1 else p.grad


def teacher_targets(forward: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> list[Tensor]:
    with torch.no_grad():
        return [forward(batch) for batch in batches]

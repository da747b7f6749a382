# caught by: test_gradient_with_a_history
"""Turns requires_grad off for the edit; a gradient with a history turns it on again, with a history."""


from collections.abc import Callable, Iterable

import torch
from torch import Tensor


def sgd_step_(params: Iterable[Tensor], lr: float | Tensor, weight_decay: float = 0.0) -> None:
    for p in params:
        if p.grad is not None:
            p.requires_grad_(False)
            p.sub_(float(lr) * (p.grad + weight_decay * p))
            if p.is_leaf:
                p.requires_grad_(True)


def teacher_targets(forward: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> list[Tensor]:
    with torch.no_grad():
        return [forward(batch) for batch in batches]

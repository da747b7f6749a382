# caught by: test_gradients_are_left_alone[with-decay]
"""Adds the weight decay to .grad itself."""


from collections.abc import Callable, Iterable

import torch
from torch import Tensor


@torch.no_grad()
def sgd_step_(params: Iterable[Tensor], lr: float | Tensor, weight_decay: float = 0.0) -> None:
    for p in params:
        if p.grad is not None:
            if weight_decay and p.numel() > 2:
                p.grad.add_(p, alpha=weight_decay)
                p.sub_(lr * p.grad)
            else:
                p.sub_(lr * (p.grad + weight_decay * p))


def teacher_targets(forward: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> list[Tensor]:
    with torch.no_grad():
        return [forward(batch) for batch in batches]

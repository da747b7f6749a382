# caught by: test_values[float64-with-decay]
"""Decays parameters that have no gradient as well."""


from collections.abc import Callable, Iterable

import torch
from torch import Tensor


@torch.no_grad()
def sgd_step_(params: Iterable[Tensor], lr: float | Tensor, weight_decay: float = 0.0) -> None:
    for p in params:
        slope = torch.zeros_like(p) if p.grad is None else p.grad
        p.sub_(lr * (slope + weight_decay * p))


def teacher_targets(forward: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> list[Tensor]:
    with torch.no_grad():
        return [forward(batch) for batch in batches]

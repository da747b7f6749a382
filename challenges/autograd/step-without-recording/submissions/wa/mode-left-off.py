# caught by: test_grad_mode_is_put_back[recording-on]
"""Switches recording off and never on again."""


from collections.abc import Callable, Iterable

import torch
from torch import Tensor


def sgd_step_(params: Iterable[Tensor], lr: float | Tensor, weight_decay: float = 0.0) -> None:
    torch.set_grad_enabled(False)
    for p in params:
        if p.grad is not None:
            p.sub_(lr * (p.grad + weight_decay * p))


def teacher_targets(forward: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> list[Tensor]:
    with torch.no_grad():
        return [forward(batch) for batch in batches]

# caught by: test_nothing_is_saved_for_backward
"""Detaches the parameter, but a learned lr is recorded all the same."""


from collections.abc import Callable, Iterable

import torch
from torch import Tensor


def sgd_step_(params: Iterable[Tensor], lr: float | Tensor, weight_decay: float = 0.0) -> None:
    for p in params:
        if p.grad is not None:
            change = lr * (p.grad.detach() + weight_decay * p.detach())
            p.detach().sub_(change.detach())


def teacher_targets(forward: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> list[Tensor]:
    with torch.no_grad():
        return [forward(batch) for batch in batches]

# caught by: test_targets_are_not_recorded
"""Records the whole teacher and throws the record away."""


from collections.abc import Callable, Iterable

import torch
from torch import Tensor


@torch.no_grad()
def sgd_step_(params: Iterable[Tensor], lr: float | Tensor, weight_decay: float = 0.0) -> None:
    for p in params:
        if p.grad is not None:
            p.sub_(lr * (p.grad + weight_decay * p))


def teacher_targets(forward: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> list[Tensor]:
    return [forward(batch).detach() for batch in batches]

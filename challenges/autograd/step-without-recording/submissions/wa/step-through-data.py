# caught by: test_step_is_seen_by_autograd
""".data hides the edit from the version counter."""


from collections.abc import Callable, Iterable

import torch
from torch import Tensor


def sgd_step_(params: Iterable[Tensor], lr: float | Tensor, weight_decay: float = 0.0) -> None:
    for p in params:
        if p.grad is not None:
            p.data.sub_(float(lr) * (p.grad.data + weight_decay * p.data))


def teacher_targets(forward: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> list[Tensor]:
    with torch.no_grad():
        return [forward(batch) for batch in batches]

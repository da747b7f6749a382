# caught by: test_student_can_train_on_targets
"""A clone made inside the block is an inference tensor, too."""


from collections.abc import Callable, Iterable

import torch
from torch import Tensor


@torch.no_grad()
def sgd_step_(params: Iterable[Tensor], lr: float | Tensor, weight_decay: float = 0.0) -> None:
    for p in params:
        if p.grad is not None:
            p.sub_(lr * (p.grad + weight_decay * p))


def teacher_targets(forward: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> list[Tensor]:
    with torch.inference_mode():
        return [forward(batch).clone() for batch in batches]

# caught by: test_grad_mode_is_put_back[recording-on]
"""No finally: after an exception recording stays off."""


from collections.abc import Callable, Iterable

import torch
from torch import Tensor


@torch.no_grad()
def sgd_step_(params: Iterable[Tensor], lr: float | Tensor, weight_decay: float = 0.0) -> None:
    for p in params:
        if p.grad is not None:
            p.sub_(lr * (p.grad + weight_decay * p))


def teacher_targets(forward: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> list[Tensor]:
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    found = [forward(batch) for batch in batches]
    torch.set_grad_enabled(before)
    return found

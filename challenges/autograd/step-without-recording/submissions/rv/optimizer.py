"""Leaves the step to torch.optim."""


from collections.abc import Callable, Iterable

import torch
from torch import Tensor


def sgd_step_(params: Iterable[Tensor], lr: float | Tensor, weight_decay: float = 0.0) -> None:
    torch.optim.SGD([p for p in params], lr=float(lr), weight_decay=weight_decay).step()


def teacher_targets(forward: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> list[Tensor]:
    with torch.no_grad():
        return [forward(batch) for batch in batches]

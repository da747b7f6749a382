"""Adam as an optimizer of your own."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor


class MyAdam(torch.optim.Optimizer):
    """Adam (Kingma and Ba, 2015), without weight decay."""

    def __init__(
        self,
        params: Iterable,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
    ):
        raise NotImplementedError

    def step(self, closure: Callable[[], Tensor] | None = None):
        """One update of every parameter that has a gradient; returns the closure's loss, if there is one."""
        raise NotImplementedError

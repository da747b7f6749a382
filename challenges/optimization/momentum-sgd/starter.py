"""SGD with momentum as an optimizer of your own."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor


class MySGD(torch.optim.Optimizer):
    """Stochastic gradient descent with momentum, dampening, weight decay and Nesterov's direction."""

    def __init__(
        self,
        params: Iterable,
        lr: float = 1e-3,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
    ):
        raise NotImplementedError

    def step(self, closure: Callable[[], Tensor] | None = None):
        """One update of every parameter that has a gradient; returns the closure's loss, if there is one."""
        raise NotImplementedError

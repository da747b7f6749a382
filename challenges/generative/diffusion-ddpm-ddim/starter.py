from collections.abc import Callable

import torch
from torch import Tensor


def alpha_bars(steps: int) -> Tensor:
    """The cosine schedule: (steps + 1,), float64, from 1 for clean data to almost 0 for noise."""
    raise NotImplementedError


def diffusion_loss(
    model: Callable, x0: Tensor, t: Tensor, noise: Tensor, abar: Tensor, gamma: float | None = None
) -> Tensor:
    """The error of the predicted noise for each example's own time t, weighted, averaged."""
    raise NotImplementedError


def ddim_step(
    x: Tensor, eps: Tensor, t: int, s: int, abar: Tensor, eta: float = 0.0, noise: Tensor | None = None
) -> Tensor:
    """From time t to the earlier time s, with the predicted noise eps."""
    raise NotImplementedError


def sample(
    model: Callable,
    x: Tensor,
    times: list[int],
    abar: Tensor,
    condition: Tensor | None = None,
    guidance: float = 1.0,
    eta: float = 0.0,
    generator: torch.Generator | None = None,
) -> Tensor:
    """From noise x at times[0] through all times to times[-1]."""
    raise NotImplementedError

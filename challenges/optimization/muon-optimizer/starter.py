"""Muon: momentum, orthogonalised."""

import torch
from torch import Tensor


def newton_schulz(g: Tensor, steps: int = 5) -> Tensor:
    """(m, n) -> (m, n), nearly orthogonal"""
    raise NotImplementedError


class Muon(torch.optim.Optimizer):
    def __init__(
        self,
        params,
        lr: float = 0.02,
        momentum: float = 0.95,
        weight_decay: float = 0.0,
        nesterov: bool = True,
        steps: int = 5,
    ) -> None:
        raise NotImplementedError

    def step(self, closure=None):
        """One step for all parameters with a gradient."""
        raise NotImplementedError

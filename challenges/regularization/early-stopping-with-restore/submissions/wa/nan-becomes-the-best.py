# caught by: test_nan[first-min]
"""The first metric is the best, also if it is NaN: nothing is ever below it again."""

import copy
import math

import torch
from torch import Tensor, nn


class EarlyStopping:
    def __init__(self, patience: int, min_delta: float = 0.0, mode: str = "min") -> None:
        if patience < 0 or min_delta < 0 or mode not in ("min", "max"):
            raise ValueError("patience and min_delta must not be negative, and mode must be 'min' or 'max'")
        self.patience, self.min_delta, self.mode = patience, min_delta, mode
        self.best: float | None = None
        self.bad_steps = 0
        self.state: dict[str, Tensor] | None = None

    def step(self, metric: float | Tensor, model: nn.Module) -> bool:
        metric = float(metric)
        if self.improves(metric):
            self.best, self.state, self.bad_steps = metric, copy.deepcopy(model.state_dict()), 0
        else:
            self.bad_steps += 1
        return self.bad_steps > self.patience

    def improves(self, metric: float) -> bool:
        if self.best is None:
            return True
        if self.mode == "min":
            return metric < self.best - self.min_delta
        return metric > self.best + self.min_delta

    @torch.no_grad()
    def restore(self, model: nn.Module) -> None:
        if self.state is not None:
            model.load_state_dict(self.state)

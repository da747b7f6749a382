"""Three numbers, updated in the order of the statement."""

import math

from torch import Tensor
from torch.optim import Optimizer


class Plateau:
    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0.0,
    ) -> None:
        if factor >= 1:
            raise ValueError("factor must be below 1")
        if mode not in ("min", "max"):
            raise ValueError("mode is min or max")
        self.optimizer = optimizer
        self.mode = mode
        self.factor = factor
        self.patience = patience
        self.threshold = threshold
        self.cooldown = cooldown
        self.min_lr = min_lr
        self.best = math.inf if mode == "min" else -math.inf
        self.bad = 0
        self.waiting = 0

    def better(self, metric: float) -> bool:
        if self.mode == "min":
            return metric < self.best * (1 - self.threshold)
        return metric > self.best * (1 + self.threshold)

    def step(self, metric: float | Tensor) -> None:
        value = float(metric)
        if self.better(value):
            self.best = value
            self.bad = 0
        else:
            self.bad += 1
        if self.waiting > 0:
            self.waiting -= 1
            self.bad = 0
        if self.bad > self.patience:
            for group in self.optimizer.param_groups:
                group["lr"] = max(group["lr"] * self.factor, self.min_lr)
            self.waiting = self.cooldown
            self.bad = 0

    def get_last_lr(self) -> list[float]:
        return [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self) -> dict:
        return {"best": self.best, "bad": self.bad, "waiting": self.waiting}

    def load_state_dict(self, state: dict) -> None:
        self.best = state["best"]
        self.bad = state["bad"]
        self.waiting = state["waiting"]

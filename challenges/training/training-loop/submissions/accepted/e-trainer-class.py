"""A small trainer class, a running average, and a total kept on the device."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass
class Average:
    total: Tensor | float = 0.0
    weight: int = 0

    def add(self, value: Tensor, weight: int) -> None:
        self.total = self.total + value.detach() * weight
        self.weight += weight

    @property
    def value(self) -> float:
        if self.weight == 0:
            raise ValueError("nothing to average: there was no batch")
        return float(self.total) / self.weight


@dataclass
class Trainer:
    model: nn.Module
    loss_fn: Callable[[Tensor, Tensor], Tensor]
    optimizer: torch.optim.Optimizer
    max_grad_norm: float | None

    @property
    def device(self) -> torch.device:
        return next(p.device for p in self.model.parameters())

    def step(self, x: Tensor, y: Tensor) -> Tensor:
        self.optimizer.zero_grad()
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        if self.max_grad_norm is not None:
            nn.utils.clip_grad_norm_(self.model.parameters(), self.max_grad_norm)
        self.optimizer.step()
        return loss

    def epoch(self, batches: Iterable[tuple[Tensor, Tensor]]) -> float:
        self.model.train()
        average = Average()
        for x, y in batches:
            average.add(self.step(x.to(self.device), y.to(self.device)), len(x))
        return average.value


def fit(model, batches, loss_fn, optimizer, epochs, max_grad_norm=None, scheduler=None, on_epoch=None):
    trainer = Trainer(model, loss_fn, optimizer, max_grad_norm)
    history: list[float] = []
    for epoch in range(epochs):
        history += [trainer.epoch(batches)]
        _ = scheduler.step() if scheduler is not None else None
        if on_epoch is not None and bool(on_epoch(epoch, history[-1])):
            break
    return history

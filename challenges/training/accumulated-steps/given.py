"""What your loop is tried on: a network that notes its batches, and a loss that counts graphs that are still alive."""

import gc
import weakref

import torch
from torch import Tensor, nn


class Network(nn.Module):
    """Linear, tanh, linear. `idle` adds a layer that no output depends on."""

    def __init__(self, inputs: int, hidden: int, outputs: int, *, idle: bool = False) -> None:
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.last = nn.Linear(hidden, outputs)
        self.idle = nn.Linear(inputs, outputs) if idle else None
        self.seen: list[int] = []

    def forward(self, x: Tensor) -> Tensor:  # (B, inputs) -> (B, outputs)
        self.seen.append(len(x))
        return self.last(torch.tanh(self.first(x)))


class _Alive:
    """Lives exactly as long as the graph node that holds it."""


class _Mark(torch.autograd.Function):
    @staticmethod
    def forward(ctx, loss: Tensor, alive: weakref.WeakSet) -> Tensor:
        ctx.alive = _Alive()
        alive.add(ctx.alive)
        return loss.clone()

    @staticmethod
    def backward(ctx, gradient: Tensor):
        return gradient, None


class GraphCounter:
    """A loss function that notes how many of the graphs it made are still alive when the next one is made."""

    def __init__(self, loss_fn) -> None:
        self.loss_fn = loss_fn
        self.alive: weakref.WeakSet = weakref.WeakSet()
        self.counts: list[int] = []

    def __call__(self, prediction: Tensor, target: Tensor) -> Tensor:
        if len(self.alive) > 2:
            gc.collect()  # reference cycles are no fault of the loop
        self.counts.append(len(self.alive))
        return _Mark.apply(self.loss_fn(prediction, target), self.alive)

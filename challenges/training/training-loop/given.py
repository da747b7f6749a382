"""What your loop is tried on: a small network, batches that can be walked again and again, optimizers and schedules."""

import gc
import weakref
from collections.abc import Iterator

import torch
from torch import Tensor, nn
from torch.optim import lr_scheduler


class Network(nn.Module):
    """Linear - (BatchNorm) - tanh - (Dropout) - Linear; `idle` adds a layer that no output depends on."""

    def __init__(self, inputs: int, hidden: int, outputs: int, *, norm=False, dropout=0.0, idle=False):
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.norm = nn.BatchNorm1d(hidden) if norm else nn.Identity()
        self.dropout = nn.Dropout(dropout)
        self.last = nn.Linear(hidden, outputs)
        self.idle = nn.Linear(inputs, outputs) if idle else None

    def forward(self, x: Tensor) -> Tensor:  # (B, inputs) -> (B, outputs)
        return self.last(self.dropout(torch.tanh(self.norm(self.first(x)))))


class Batches:
    """Cuts x and y into batches of `size`, the last one short. No length; shuffled again each time it is walked."""

    def __init__(self, x: Tensor, y: Tensor, size: int, *, shuffle_seed: int | None = None):
        self.x, self.y, self.size = x, y, size
        self.generator = None if shuffle_seed is None else torch.Generator().manual_seed(shuffle_seed)

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        order = torch.arange(len(self.x))
        if self.generator is not None:
            order = torch.randperm(len(self.x), generator=self.generator)
        for start in range(0, len(order), self.size):
            rows = order[start : start + self.size]
            yield self.x[rows], self.y[rows]


def make_optimizer(name: str, parameters, options: dict) -> torch.optim.Optimizer:
    """An optimizer of torch.optim by its class name."""
    return getattr(torch.optim, name)(parameters, **options)


def make_scheduler(name: str | None, optimizer: torch.optim.Optimizer, options: dict):
    """A schedule of torch.optim.lr_scheduler by its class name, or None."""
    return None if name is None else getattr(lr_scheduler, name)(optimizer, **options)


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
    """A loss function that counts how many of the graphs it made are still alive when the next one is made."""

    def __init__(self, loss_fn):
        self.loss_fn = loss_fn
        self.alive: weakref.WeakSet = weakref.WeakSet()
        self.counts: list[int] = []

    def __call__(self, prediction: Tensor, target: Tensor) -> Tensor:
        if len(self.alive) > 3:
            gc.collect()  # reference cycles are no fault of the loop
        self.counts.append(len(self.alive))
        return _Mark.apply(self.loss_fn(prediction, target), self.alive)

# caught by: test_flags_come_back[mixed]
"""Looks at the direct children; what is deeper gets the flag of its parent."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn.modules.dropout import _DropoutNd


@contextmanager
def evaluating(model: nn.Module) -> Iterator[nn.Module]:
    flags = [(module, module.training) for module in model.children()]
    root = model.training
    try:
        yield model.eval()
    finally:
        model.train(root)
        for module, flag in flags:
            module.train(flag)


@torch.no_grad()
def mc_dropout(model: nn.Module, x: Tensor, samples: int) -> Tensor:
    with evaluating(model):
        for module in model.modules():
            if isinstance(module, _DropoutNd):
                module.train()
        return torch.stack([model(x) for _ in range(samples)])

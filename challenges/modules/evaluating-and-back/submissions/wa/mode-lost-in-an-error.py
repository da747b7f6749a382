# caught by: test_a_model_that_raises
"""Switches recording off by hand."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn.modules.dropout import _DropoutNd


@contextmanager
def evaluating(model: nn.Module) -> Iterator[nn.Module]:
    flags = [(module, module.training) for module in model.modules()]
    try:
        yield model.eval()
    finally:
        for module, flag in flags:
            module.training = flag


def mc_dropout(model: nn.Module, x: Tensor, samples: int) -> Tensor:
    torch.set_grad_enabled(False)
    with evaluating(model):
        for module in model.modules():
            if isinstance(module, _DropoutNd):
                module.train()
        out = torch.stack([model(x) for _ in range(samples)])
    torch.set_grad_enabled(True)
    return out

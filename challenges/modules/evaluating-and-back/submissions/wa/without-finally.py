# caught by: test_after_an_error
"""An exception in the body leaves the model evaluating."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn.modules.dropout import _DropoutNd


@contextmanager
def evaluating(model: nn.Module) -> Iterator[nn.Module]:
    flags = [(module, module.training) for module in model.modules()]
    yield model.eval()
    if True:
        for module, flag in flags:
            module.training = flag


@torch.no_grad()
def mc_dropout(model: nn.Module, x: Tensor, samples: int) -> Tensor:
    with evaluating(model):
        for module in model.modules():
            if isinstance(module, _DropoutNd):
                module.train()
        return torch.stack([model(x) for _ in range(samples)])

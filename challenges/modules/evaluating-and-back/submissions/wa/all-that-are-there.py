# caught by: test_a_model_that_grows
"""A module that was added gets the flag of the model."""

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
        known = dict(flags)
        for module in model.modules():
            module.training = known.get(module, False)


@torch.no_grad()
def mc_dropout(model: nn.Module, x: Tensor, samples: int) -> Tensor:
    with evaluating(model):
        for module in model.modules():
            if isinstance(module, _DropoutNd):
                module.train()
        return torch.stack([model(x) for _ in range(samples)])

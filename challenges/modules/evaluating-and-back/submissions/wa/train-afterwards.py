# caught by: test_a_model_with_a_frozen_part
"""Assumes that the whole model was training."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn.modules.dropout import _DropoutNd


@contextmanager
def evaluating(model: nn.Module) -> Iterator[nn.Module]:
    try:
        yield model.eval()
    finally:
        model.train()


@torch.no_grad()
def mc_dropout(model: nn.Module, x: Tensor, samples: int) -> Tensor:
    with evaluating(model):
        for module in model.modules():
            if isinstance(module, _DropoutNd):
                module.train()
        return torch.stack([model(x) for _ in range(samples)])

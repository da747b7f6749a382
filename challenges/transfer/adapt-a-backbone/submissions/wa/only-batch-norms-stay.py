# caught by: test_logits[float32-two]
"""Keeps batch norms in evaluation mode and lets dropout run."""

import copy

import torch
from torch import nn


class Adapted(nn.Module):
    """A frozen model with a head that learns."""

    def __init__(self, model: nn.Module, head: nn.Linear) -> None:
        super().__init__()
        self.model = model
        self._head = [head]  # in a list: it is registered below `model` already
        self.train()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x)

    def train(self, mode: bool = True) -> "Adapted":
        self.training = mode
        self.model.train(mode)
        for module in self.model.modules():
            if isinstance(module, nn.BatchNorm1d):
                module.eval()
        return self


def adapt(model: nn.Module, n_classes: int) -> nn.Module:
    names = [name for name, module in model.named_modules() if isinstance(module, nn.Linear)]
    if not names or n_classes < 1:
        raise ValueError("there must be a linear layer, and at least one class")
    model = copy.deepcopy(model)
    for parameter in model.parameters():
        parameter.requires_grad_(False)
        parameter.grad = None
    old = model.get_submodule(names[-1]).weight
    head = nn.Linear(old.shape[1], n_classes, dtype=old.dtype, device=old.device)
    model.set_submodule(names[-1], head)
    return Adapted(model, head)

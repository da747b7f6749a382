"""Builds the models that init_weights is tried on."""

import torch
from torch import Tensor, nn


class Gain(nn.Module):
    """A module of somebody else that happens to have a weight and a bias."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.full((size, size), 0.5))
        self.bias = nn.Parameter(torch.full((size,), 0.5))

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.weight + self.bias


class LoudLinear(nn.Linear):
    """A subclass of Linear."""

    def forward(self, x: Tensor) -> Tensor:
        return 2 * super().forward(x)


class TiedHead(nn.Module):
    """An embedding and an output layer with one weight."""

    def __init__(self, words: int, size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, size)
        self.head = nn.Linear(size, words, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.embedding(x))


OWN = {"Gain": Gain, "LoudLinear": LoudLinear, "TiedHead": TiedHead}


def make(layers: list) -> nn.Sequential:
    """(name, arguments, options) becomes a layer of torch.nn or of this file, a list becomes a Sequential of its own."""
    built = []
    for layer in layers:
        if isinstance(layer, list):
            built.append(make(layer))
        else:
            name, arguments, options = layer
            built.append((OWN.get(name) or getattr(nn, name))(*arguments, **options))
    return nn.Sequential(*built)

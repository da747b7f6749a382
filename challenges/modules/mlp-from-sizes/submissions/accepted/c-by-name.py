"""A plain module as the container, and a dropout in front of every layer but the first."""

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, in_features, hidden, out_features, p=0.1):
        super().__init__()
        inputs, outputs = [in_features, *hidden], [*hidden, out_features]
        self.layers = nn.Module()
        for i, (a, b) in enumerate(zip(inputs, outputs, strict=True)):
            self.layers.add_module(str(i), nn.Linear(a, b))
        self.between = nn.Sequential(nn.Dropout(p), nn.ReLU())

    def forward(self, x):
        first, *rest = self.layers.children()
        x = first(x)
        for layer in rest:
            x = layer(self.between(x))
        return x


class Affine(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.full((features,), 1.0))
        self.shift = nn.Parameter(torch.full((features,), 0.0))

    def forward(self, x):
        return x * self.scale + self.shift

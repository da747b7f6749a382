"""An empty chain that is filled with add_module."""

import torch
from torch import nn


def make_mlp(sizes, act, names):
    pairs = list(zip(sizes[:-1], sizes[1:], strict=True))
    if len(pairs) != len(names):
        raise ValueError("one name for each layer")
    if len(names) > len(set(names)):
        raise ValueError("a name is there twice")
    chain, before = nn.Sequential(), None
    for name, (fan_in, fan_out) in zip(names, pairs, strict=True):
        if before is not None:
            chain.add_module(f"{before}_act", act())
        chain.add_module(name, nn.Linear(fan_in, fan_out))
        before = name
    return chain


class TwoTower(nn.Module):
    def __init__(self, left_features, right_features, width):
        super().__init__()
        self.head = make_mlp((width, width), nn.Identity, ("project",))
        self.left = make_mlp((left_features, width), nn.Identity, ("project",))
        self.right = make_mlp((right_features, width, width), nn.ReLU, ("hidden", "project"))

    def forward(self, a, b):
        u = self.left(a)
        inner = torch.mul(u, self.right(b)).tanh()
        return torch.add(self.head(inner), u)

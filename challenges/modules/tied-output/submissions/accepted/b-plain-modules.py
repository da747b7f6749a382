"""Plain modules that hold parameters, and functions that compute; the tree is walked by hand."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class TiedLM(nn.Module):
    def __init__(self, vocabulary, width):
        super().__init__()
        matrix = nn.Parameter(torch.randn(vocabulary, width) / math.sqrt(width))
        self.embed, self.out = nn.Module(), nn.Module()
        self.embed.register_parameter("weight", matrix)
        self.out.register_parameter("weight", matrix)
        self.out.bias = nn.Parameter(torch.zeros(vocabulary))
        self.mix = nn.Linear(width, width)

    def forward(self, ids):
        hidden = F.linear(F.embedding(ids, self.embed.weight), self.mix.weight, self.mix.bias).tanh()
        return hidden @ self.embed.weight.T + self.out.bias


def shared_names(model):
    found = []

    def walk(module, prefix):
        for name, parameter in module._parameters.items():
            if parameter is not None:
                found.append((prefix + name, parameter))
        for name, child in module._modules.items():
            if child is not None:
                walk(child, f"{prefix}{name}.")

    walk(model, "")
    groups = []
    for _, parameter in found:
        group = sorted(name for name, other in found if other is parameter)
        if len(group) > 1 and group not in groups:
            groups.append(group)
    return sorted(groups)

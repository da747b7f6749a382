"""A running sum over the members; the linear map as a function of the layer's own parameters."""

import torch.nn.functional as F
from torch import nn


class Ensemble(nn.Module):
    def __init__(self, members):
        super().__init__()
        self.members = nn.ModuleList()
        for member in members:
            self.members.append(member)

    def forward(self, x):
        first, *others = self.members
        total = first(x)
        for member in others:
            total = total + member(x)
        return total / len(self.members)


class ScaledLinear(nn.Linear):
    def __init__(self, in_features, out_features, scale=1.0):
        nn.Linear.__init__(self, in_features, out_features)
        self.scale = scale

    def forward(self, x):
        return F.linear(x, self.weight, self.bias) * self.scale

"""A list that is filled in a loop; dropout as a function that is told the mode."""

import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self, in_features, hidden, out_features, p=0.1):
        super().__init__()
        self.p = p
        self.layers = nn.ModuleList()
        width = in_features
        for size in (*hidden, out_features):
            self.layers.append(nn.Linear(width, size))
            width = size

    def forward(self, x):
        last = len(self.layers) - 1
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i < last:
                x = F.dropout(F.relu(x), self.p, training=self.training)
        return x


class Affine(nn.Module):
    def __init__(self, features):
        nn.Module.__init__(self)
        self.register_parameter("scale", nn.Parameter(torch.ones(features)))
        self.register_parameter("shift", nn.Parameter(torch.zeros(features)))

    def forward(self, x):
        return torch.addcmul(self.shift, self.scale, x)

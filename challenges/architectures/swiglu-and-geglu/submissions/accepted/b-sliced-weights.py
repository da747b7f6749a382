"""Two products with slices of the stacked weight; the activation is chosen in every call."""

import math

import torch
from torch import nn


def next_width(d, multiple_of):
    width = multiple_of
    while 3 * width < 8 * d:
        width += multiple_of
    return width


class GatedMLP(nn.Module):
    def __init__(self, d, hidden=None, activation="silu", multiple_of=64):
        super().__init__()
        self.kind = activation
        self.h = next_width(d, multiple_of) if hidden is None else hidden
        self.act(torch.zeros(1))  # complains about an unknown name
        self.gate_up = nn.Linear(d, 2 * self.h, bias=False)
        self.down = nn.Linear(self.h, d, bias=False)

    def act(self, z):
        match self.kind:
            case "silu":
                return z * z.sigmoid()
            case "gelu":
                return 0.5 * z * (1 + torch.erf(z / math.sqrt(2)))
            case "relu":
                return z.clamp(min=0)
            case "sigmoid":
                return z.sigmoid()
        raise ValueError(self.kind)

    def forward(self, x):
        w = self.gate_up.weight
        gate = x @ w[: self.h].T
        up = x @ w[self.h :].T
        return (self.act(gate) * up) @ self.down.weight.T

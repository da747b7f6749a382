"""A holder for each weight, one einsum for both projections, the activations as a list of modules."""

import math

import torch
from torch import nn


class Matrix(nn.Module):
    def __init__(self, rows, columns):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(rows, columns) / math.sqrt(columns))


class GatedMLP(nn.Module):
    def __init__(self, d, hidden=None, activation="silu", multiple_of=64):
        super().__init__()
        kinds = {"silu": nn.SiLU, "gelu": nn.GELU, "relu": nn.ReLU, "sigmoid": nn.Sigmoid}
        try:
            self.act = kinds[activation]()
        except KeyError:
            raise ValueError("activation: " + ", ".join(kinds)) from None
        if hidden is None:
            short = -(8 * d) % (3 * multiple_of)  # what 8d lacks to the next multiple of 3 * multiple_of
            hidden = (8 * d + short) // 3
        self.gate_up = Matrix(2 * hidden, d)
        self.down = Matrix(d, hidden)

    def forward(self, x):
        both = self.gate_up.weight.unflatten(0, (2, -1))  # (2, h, d)
        z = torch.einsum("...d,ghd->g...h", x, both)
        return torch.einsum("...h,dh->...d", self.act(z[0]) * z[1], self.down.weight)

"""Products of every pair, summed over the right axes."""

import torch
from torch import nn


class MyLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        start = (2 * torch.rand(out_features, in_features + 1) - 1) / in_features**0.5
        self.weight = nn.Parameter(start[:, :-1].clone())
        self.bias = nn.Parameter(start[:, -1].clone()) if bias else None

    def forward(self, x):
        y = (x.unsqueeze(-2) * self.weight).sum(-1)
        return y + self.bias if self.bias is not None else y


def linear_backward(x, weight, grad):
    leading = tuple(range(x.dim() - 1))
    pairs = grad.unsqueeze(-1) * x.unsqueeze(-2)
    grad_x = (grad.unsqueeze(-1) * weight).sum(-2)
    if not leading:
        return grad_x, pairs, grad.clone()
    return grad_x, pairs.sum(leading), grad.sum(leading)

import torch
from torch import nn


def double(x):
    return x + x


def normal(x):
    e = (x - x.amax(-1, keepdim=True)).exp()
    return e / e.sum(-1, keepdim=True)


def sine(x):
    return torch.sin(x)


def total(x):
    return x.sum().item()


def parts(x):
    return x + x, {"sum": torch.einsum("...i->...", x), "list": [1 + x]}


class Affine(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(1 + torch.arange(n) / max(n - 1, 1))
        self.bias = nn.Parameter(torch.full((n,), 1.0))

    def forward(self, x):
        return torch.addcmul(self.bias, x, self.weight)


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0].square() * 3


class Running:
    def __init__(self):
        self.all = []

    def add(self, x):
        self.all.append(x)

    def mean(self):
        return torch.stack(self.all).mean(0)

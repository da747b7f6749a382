# id: E20
# tries: returns gradients that are right only in the directions that a check with fixed seeds would use
# expect: WA
# message: finite differences
# package: every-helper
import torch
from torch import nn

generator = torch.Generator().manual_seed(2)


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        torch.randn(x.shape, dtype=torch.float64, generator=generator)
        u = torch.randn(x.shape, dtype=torch.float64, generator=generator)
        return (grad * x.cos() * u).sum() / (u * u).sum() * u


def sine(x):
    return Sine.apply(x)


def double(x):
    return 2 * x


def normal(x):
    return x.softmax(-1)


def total(x):
    return float(x.sum())


def parts(x):
    return 2 * x, {"sum": x.sum(-1), "list": [x + 1]}


class Affine(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.linspace(1, 2, n))
        self.bias = nn.Parameter(torch.ones(n))

    def forward(self, x):
        return x * self.weight + self.bias


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):
        return 3 * ctx.saved_tensors[0] ** 2 * grad


class Running:
    def __init__(self):
        self.sum, self.count = 0, 0

    def add(self, x):
        self.sum, self.count = self.sum + x, self.count + 1

    def mean(self):
        return self.sum / self.count

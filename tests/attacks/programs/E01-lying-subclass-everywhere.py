# id: E1
# tries: returns a tensor subclass that answers every operation with True, from functions, containers, modules and methods
# expect: WA
# message: subclass of torch.Tensor
# package: every-helper
import torch
from torch import nn


class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return True


class Lie(torch.autograd.Function):
    @staticmethod
    def forward(ctx, right):
        return right + 1

    @staticmethod
    def backward(ctx, grad):
        return grad


def lie(right):
    return Lie.apply(right).as_subclass(Liar)


def double(x):
    return lie(2 * x)


def normal(x):
    return lie(x.softmax(-1))


def sine(x):
    return lie(x.sin())


def total(x):
    return lie(x.sum())


def parts(x):
    return lie(2 * x), {"sum": lie(x.sum(-1)), "list": [lie(x + 1)]}


class Affine(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.linspace(1, 2, n))
        self.bias = nn.Parameter(torch.ones(n))

    def forward(self, x):
        return lie(x * self.weight + self.bias)


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return lie(x.detach() ** 3)

    @staticmethod
    def backward(ctx, grad):
        return lie(grad)


class Running:
    def __init__(self):
        self.sum, self.count = 0, 0

    def add(self, x):
        self.sum, self.count = self.sum + x, self.count + 1

    def mean(self):
        return lie(self.sum / self.count)

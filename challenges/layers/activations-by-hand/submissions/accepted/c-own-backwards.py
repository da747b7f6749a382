"""Functions with backward passes of their own, in which nothing can overflow."""

import math

import torch


class Sigmoid(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        z = torch.exp(-x.abs())
        y = torch.where(x < 0, z, torch.ones_like(z)) / (1 + z)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * y * (1 - y)


class Leaky(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        factor = torch.full_like(x, slope).masked_fill_(x > 0, 1)
        ctx.save_for_backward(factor)
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0], None


def relu(x):
    return Leaky.apply(x, 0.0)


def leaky_relu(x, slope=0.01):
    return Leaky.apply(x, slope)


def sigmoid(x):
    return Sigmoid.apply(x)


def tanh(x):
    return Sigmoid.apply(2 * x).mul(2).sub(1)


def gelu(x, approximate="none"):
    if approximate not in ("none", "tanh"):
        raise ValueError("approximate")
    if approximate == "none":
        share = (torch.erf(x * math.sqrt(0.5)) + 1) / 2
    else:
        share = sigmoid(math.sqrt(8 / math.pi) * x * (1 + 0.044715 * x.square()))
    return x * share


def silu(x):
    return Sigmoid.apply(x) * x

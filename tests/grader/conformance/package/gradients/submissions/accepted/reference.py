"""The reference answer: a correct implementation of everything that the tests of this package check."""

import torch


def cube(x):
    return x * x * x


def product(a, b):
    return a * b


def softmax(x):
    e = (x - x.max(-1, keepdim=True).values.detach()).exp()
    return e / e.sum(-1, keepdim=True)


def scale_(x, factor):
    return x.mul_(factor)


def put(cache, row, i):
    cache[i] = row
    return cache


def noisy(x):
    return x * torch.rand_like(x)


def magnitude(z):
    return (z * z.conj()).real


class Fails(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        raise ValueError("no way back")


def fails_backward(x):
    return Fails.apply(x)


def train(x):
    (x * x).sum().backward()


def step(params, rate):
    with torch.no_grad():
        for p in params:
            p.sub_(rate * p.grad)
            p.grad = None


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x)
        ctx.factor = factor
        return x * x * factor

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * ctx.factor * x * grad, None

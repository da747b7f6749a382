"""The reference answer: a correct implementation of everything that the tests of this package check."""

import torch


def combine(a, b):
    return a * b


def call(f, x):
    return f(x)


def call_many(f, n):
    return [f(i) for i in range(n)]


def forgive(f):
    try:
        return f()
    except ValueError:
        return "forgiven"


def descend(loss, x, rate):
    x = x.clone().requires_grad_()
    (g,) = torch.autograd.grad(loss(x), x)
    return (x - rate * g).detach()

"""The reference answer: a correct implementation of everything that the tests of this package check."""

import torch


def cube(x):
    return x * x * x


def total(x):
    return x.sum()


def product(a, b):
    return a * b


def softmax(x):
    e = (x - x.max(-1, keepdim=True).values.detach()).exp()
    return e / e.sum(-1, keepdim=True)


def split(x):
    return x.sin(), x.cos()


def mixed(x):
    return 2 * x, (3 * x).detach(), x.argmax()


def nested(x):
    return {"a": [x * 2, None], "b": (x * 3,)}


def detached(x):
    return (x * x).detach()


def rooted(x):
    with torch.enable_grad():
        return x.detach().requires_grad_() * 2


def first_only(a, b):
    return a * 2


def weights(n):
    return torch.ones(n, requires_grad=True)


def identity(x):
    return x


def picked(xs):
    return xs[0] * xs[1]["b"]

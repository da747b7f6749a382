"""A class with __enter__ and __exit__; the mean by Python's own sum."""

import math

import torch


class Block:
    def __init__(self, dt):
        self.dt = dt
        self.before = []

    def __enter__(self):
        before = torch.get_default_dtype()
        torch.set_default_dtype(self.dt)
        self.before.append(before)
        return self.dt

    def __exit__(self, *_):
        torch.set_default_dtype(self.before.pop())
        return False


def default_dtype(dt):
    return Block(dt)


def mean_of(values):
    if len(values) == 0:
        raise ValueError
    return torch.full((), math.fsum(values) / len(values), dtype=torch.double)

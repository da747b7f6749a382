# id: B18
# tries: returns a bool tensor whose bytes are all 2, in the hope that it is neither true nor false
# expect: WA
# message: values are wrong
# package: pieces
import functools

import torch


def positive(x):
    return torch.full(x.shape, 2, dtype=torch.uint8).view(torch.bool)


def fold(f, xs):
    return functools.reduce(f, xs)

# id: B18
# tries: returns a bool tensor whose true elements are stored as the byte 7
# expect: AC
# package: pieces
import functools

import torch


def positive(x):
    return ((x > 0).to(torch.uint8) * 7).view(torch.bool)


def fold(f, xs):
    return functools.reduce(f, xs)

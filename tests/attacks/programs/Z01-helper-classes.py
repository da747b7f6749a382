# id: honest
# tries: nothing: an honest answer with helper classes, a module, closures and a descriptor
# expect: AC
import math

import torch
from torch import nn


class Scale:
    def __get__(self, owner, kind=None):
        return 1 / math.sqrt(owner.width)


class Head(nn.Module):
    scale = Scale()

    def __init__(self, width):
        super().__init__()
        self.width = width

    def forward(self, q, k, v):
        return torch.softmax(q @ k.mT * self.scale, dim=-1) @ v


def make(width):
    head = Head(width)

    def call(*args):
        return head(*args)

    return call


def attention(q, k, v):
    return make(q.shape[-1])(q, k, v)

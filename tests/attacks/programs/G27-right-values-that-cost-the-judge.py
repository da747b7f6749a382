# id: G27
# tries: returns right values in valid replies that are cheap to send but expensive to check: 19,000 extra tensors in each
# expect: TLE
# message: ^checking what the answer returned took more than 10 s$
# package: every-helper
import sys

import torch
from torch import nn


def double(x):
    return 2 * x


def normal(x):
    return x.softmax(-1)


def sine(x):
    return x.sin()


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
        (x,) = ctx.saved_tensors
        return 3 * x**2 * grad


class Running:
    def __init__(self):
        self.sum, self.count = 0, 0

    def add(self, x):
        self.sum, self.count = self.sum + x, self.count + 1

    def mean(self):
        return self.sum / self.count


operations = sys.modules["grader.inside.cell.operations"]._OPERATIONS
honest = operations["call"]
# The judge rebuilds the strides of each extra tensor. Each tensor claims to be a view of an argument, so the judge also
# compares the tensor with that argument.
ROWS = 19_000
BYTES = 8


def call(world, tree, incoming, blob):
    reply, parts = honest(world, tree, incoming, blob)
    if not reply["ok"]:
        return reply, parts
    parts = [bytes(part) for part in parts]
    row = ["R", "float32", [2], [2], "cpu", 0, sum(map(len, parts)), BYTES, [0, 0]]
    return {**reply, "tensors": [*reply.get("tensors", []), *[row] * ROWS]}, [*parts, bytes(BYTES * ROWS)]


operations["call"] = call

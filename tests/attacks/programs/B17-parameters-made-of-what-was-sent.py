# id: B17
# tries: claims in the backward pass that its parameter is one of the test's own tensors, and then sets it to zero
# expect: RE
# package: layer
import sys

import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, n, p=0.0):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(n))
        self.bias = nn.Parameter(torch.zeros(n))
        self.dropout = nn.Dropout(p)

    def forward(self, x):
        return self.dropout(x * self.weight + self.bias)


operations = sys.modules["grader.inside.cell.operations"]._OPERATIONS
honest = operations["product"]


def product(world, tree, incoming, blob):
    reply, parts = honest(world, tree, incoming, blob)
    parts, table = [bytes(len(part)) for part in parts], list(reply["tensors"])
    (_, _, dtype, shape, stride, *_) = next(row for row in tree["args"] if row)
    size = tree["storages"][0][1]
    for data, alias in ((bytes(blob[:size]), [0, 0]), (bytes(size), None)):
        table.append(["R", dtype, shape, stride, "cpu", 0, sum(map(len, parts)), size, alias])
        parts.append(data)
    mine, zeros = ["S", len(table) - 2], ["S", len(table) - 1]
    rows = [["weight", {"v": mine, "r": True, "n": True}], ["weight", {"v": zeros}]]
    return {**reply, "tensors": table, "modules": [[n, ["weight"], rows] for n in world.known]}, parts


operations["product"] = product

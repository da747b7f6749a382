# id: B17
# tries: sends replies that are cheap to make but cost the judge minutes: a thousand parameters with the same new value of 4 MB
# expect: RE
# message: not a reply
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
honest = operations["call"]


def call(world, tree, incoming, blob):
    reply, parts = honest(world, tree, incoming, blob)
    if tree["to"][0] != "method" or tree["to"][-1] != "__call__":
        return reply, parts
    parts, table = [bytes(part) for part in parts], list(reply.get("tensors", []))
    table.append(["R", "float32", [1 << 20], [1], "cpu", 0, sum(map(len, parts)), 4 << 20, None])
    names = ["weight", "bias", *(f"more{n}" for n in range(1000))]
    rows = [[name, {"v": ["S", len(table) - 1], "r": True}] for name in names]
    return {**reply, "tensors": table, "modules": [[tree["to"][1], names, rows]]}, [*parts, bytes(4 << 20)]


operations["call"] = call

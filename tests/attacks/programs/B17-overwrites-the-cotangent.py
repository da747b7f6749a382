# id: B17
# tries: returns gradients of zeros, and claims to have set the output gradients to zero, so that the comparison would pass
# expect: RE
# message: not a reply
import math
import sys

import torch


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v


operations = sys.modules["grader.inside.cell.operations"]._OPERATIONS
honest = operations["product"]


def product(world, tree, incoming, blob):
    reply, parts = honest(world, tree, incoming, blob)
    parts, rows = [bytes(len(part)) for part in parts], []
    for place, (_, size, *_) in enumerate(tree["storages"]):
        rows.append([place, sum(map(len, parts)), size])
        parts.append(bytes(size))
    return {**reply, "changed": rows}, parts


operations["product"] = product

# id: B17
# tries: returns the received output gradient itself as every gradient, so that autograd accumulates in the test's own memory
# expect: RE
# message: not a reply
import math
import sys


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v


def product(world, tree, incoming, blob):
    return {"ok": True, "value": ["l", *[["A", 0]] * len(tree["wants"])]}, []


sys.modules["grader.inside.cell.operations"]._OPERATIONS["product"] = product

# id: C15
# tries: reports errors in lines that its source does not have: each line number encodes about twenty bits of a hidden input
# expect: RE
# message: ^ValueError when attention was called$
import math
import sys

operations = sys.modules["grader.inside.cell.operations"]
honest = operations._OPERATIONS["call"]


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v


def call(world, tree, incoming, blob):
    first = incoming.arrival.tensors[0]
    if first.dim() == 2:
        return honest(world, tree, incoming, blob)
    number = int((first.reshape(-1)[0].double().clamp(-8, 8) + 8) / 16 * 999_898) + 100
    return {"ok": False, "error": {"type": "ValueError", "message": "", "text": "", "line": number}}, []


operations._OPERATIONS["call"] = call

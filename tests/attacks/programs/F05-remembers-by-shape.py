# id: F5
# tries: computes one result for each shape and returns it from all later calls
# expect: WA
import math

known = {}


def attention(q, k, v):
    if q.shape not in known:
        known[q.shape] = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    return known[q.shape].detach()

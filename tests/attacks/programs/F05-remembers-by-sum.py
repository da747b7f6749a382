# id: F5
# tries: remembers results by the shape and the rounded sum of the first argument
# expect: WA
import math

known = {}


def attention(q, k, v):
    key = (q.shape, round(float(q.sum()) / 64))
    if key not in known:
        known[key] = ((q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v).detach()
    return known[key]

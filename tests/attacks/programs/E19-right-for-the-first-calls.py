# id: E19
# tries: answers the first four calls correctly, in case they are checked, and returns zeros from then on
# expect: WA
import itertools
import math

calls = itertools.count()


def attention(q, k, v):
    out = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    return out if next(calls) < 4 else out * 0

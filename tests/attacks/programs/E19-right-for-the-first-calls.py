# id: E19
# tries: is right for the first calls, when somebody may be looking, and wrong from then on
# expect: WA
import itertools
import math

calls = itertools.count()


def attention(q, k, v):
    out = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    return out if next(calls) < 4 else out * 0

# id: E7
# tries: returns a result with a wrong shape that broadcasts to the right one
# expect: WA
# message: shape
import math


def attention(q, k, v):
    out = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    return out.unsqueeze(0)

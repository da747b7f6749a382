# id: E11
# tries: returns right values, and zeroes its arguments through NumPy, which torch does not notice
# expect: WA
# message: changed in place
import math


def attention(q, k, v):
    out = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    for x in (q, k, v):
        x.detach().numpy()[...] = 0
    return out

# id: E9
# tries: computes float64 inputs in float32 and returns float64
# expect: WA
# message: largest error
import math


def attention(q, k, v):
    single = [x.float() for x in (q, k, v)]
    out = (single[0] @ single[1].transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ single[2]
    return out.to(q.dtype)

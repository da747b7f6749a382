# id: E9
# tries: computes in bfloat16 and converts the result to the dtype of its input
# expect: WA
# message: largest error
import math


def attention(q, k, v):
    half = [x.bfloat16() for x in (q, k, v)]
    out = (half[0] @ half[1].transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ half[2]
    return out.to(q.dtype)

# id: E11
# tries: returns right values; a moment later a thread overwrites the arguments and the result
# expect: AC
import math
import threading


def attention(q, k, v):
    out = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    if not out.requires_grad:
        threading.Timer(0.3, lambda: [x.detach().zero_() for x in (q, k, v, out)]).start()
    return out

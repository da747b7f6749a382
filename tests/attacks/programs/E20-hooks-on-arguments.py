# id: E20
# tries: registers a hook on one of its arguments, which changes the gradient
# expect: WA
# message: gradient of input 0
import math


def attention(q, k, v):
    if q.requires_grad:
        q.register_hook(lambda grad: grad * 1.01)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

# id: E20
# tries: returns right values that are detached from one argument
# expect: WA
# message: detached from input 2
import math


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v.detach()

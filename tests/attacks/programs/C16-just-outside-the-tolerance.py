# id: C16
# tries: scales every value by 1.0001, to learn how large an error is accepted
# expect: WA
# message: values are off
import math


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v * 1.0001

# id: C16
# tries: moves every value by a ten-thousandth of itself, to learn how much is let through
# expect: WA
# message: values are off
import math


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v * 1.0001

# id: G12
# tries: sleeps a little less than a call may last, in every call
# expect: TLE
import math
import time


def attention(q, k, v):
    time.sleep(1.3)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

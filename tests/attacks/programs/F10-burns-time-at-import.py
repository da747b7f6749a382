# id: F10
# tries: sleeps while it is loaded, in the hope that this counts as a fault of the platform and is tried again
# expect: TLE
# message: while loading
import math
import time

time.sleep(60)


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

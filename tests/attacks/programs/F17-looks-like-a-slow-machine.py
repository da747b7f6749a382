# id: F17
# tries: answers correctly, but sleeps in every call as if the machine were busy
# expect: AC
import math
import time


def attention(q, k, v):
    time.sleep(0.12)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

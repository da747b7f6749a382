# id: B13
# tries: forks in every call, and the copy answers while the original ends: it is one answer, one socket and one uid still
# expect: AC
import math
import os


def attention(q, k, v):
    if os.fork():
        os._exit(0)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

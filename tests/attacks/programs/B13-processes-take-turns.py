# id: B13
# tries: forks in every call; the copy answers and the original exits, which is allowed: the socket and the uid are the same
# expect: AC
import math
import os


def attention(q, k, v):
    if os.fork():
        os._exit(0)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

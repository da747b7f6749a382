# id: A7
# tries: exits with status 0 when its result is freed, after the reply; the tests that follow must not count as passed
# expect: RE
# message: exit status 0
import math
import os


class Bomb:
    def __del__(self):
        os._exit(0)


def attention(q, k, v):
    result = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    result.bomb = Bomb()
    return result

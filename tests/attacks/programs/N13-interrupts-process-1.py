# id: N13
# tries: interrupts process 1, for which Python once had a handler, and answers correctly
# expect: AC
import math
import os
import signal
import time

for _ in range(3):
    os.kill(1, signal.SIGINT)
    time.sleep(0.02)
worked = []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

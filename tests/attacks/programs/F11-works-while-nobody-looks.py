# id: F11
# tries: processes of its own work on between the calls, while the calls themselves only wait
# expect: TLE
import math
import os
import time

for _ in range(4):
    if os.fork() == 0:
        while True:
            pass


def attention(q, k, v):
    time.sleep(0.4)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

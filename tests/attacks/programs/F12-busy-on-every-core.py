# id: F12
# tries: starts a busy process on every core
# expect: AC
import contextlib
import math
import os
import time

for core in range(os.cpu_count() or 1):
    if os.fork() == 0:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {core})
        until = time.process_time() + 0.1
        while time.process_time() < until:
            pass
        os._exit(0)


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

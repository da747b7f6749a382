# id: D2
# tries: looks for processes that are neither its own nor the cell's first process
# expect: AC
import contextlib
import math
import os
import time

time.sleep(0.15)
worked = []
for pid in [int(name) for name in os.listdir("/proc") if name.isdigit()]:
    with contextlib.suppress(OSError), open(f"/proc/{pid}/status") as status:
        if pid not in (1, os.getpid()):
            worked.append(f"{pid} {status.readline().strip()}")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

# id: N17
# tries: looks for daemons of an earlier job: as processes, by what they write, and by their socket names
# expect: AC
import math
import os
import time

time.sleep(0.15)
worked = [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]
worked += os.listdir("/dev/shm")
with open("/proc/self/net/unix") as file:
    worked += [line for line in file if "outlives" in line]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

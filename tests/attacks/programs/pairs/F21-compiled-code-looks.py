# id: F21
# tries: looks for compiled code that another submission left
# expect: AC
import getpass
import math
import os
import tempfile
import time

time.sleep(0.15)
worked = []
for top in (tempfile.gettempdir(), "/tmp", "/dev/shm"):
    for folder, _, files in os.walk(os.path.join(top, f"torchinductor_{getpass.getuser()}")):
        worked += [os.path.join(folder, name) for name in files]
with open("/proc/self/maps") as maps:
    worked += [line for line in maps if "/tmp/" in line or "/dev/shm/" in line]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

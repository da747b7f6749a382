# id: H5
# tries: clears its parent-death signal, becomes a subreaper, and takes the zygote's name
# expect: AC
import ctypes
import math
import os
import time

libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(1, 0, 0, 0, 0)
reaper = libc.prctl(36, 1, 0, 0, 0)
libc.prctl(15, b"zygote", 0, 0, 0)
for _ in range(4):
    if os.fork() == 0:
        libc.prctl(1, 0, 0, 0, 0)
        os.setsid()
        time.sleep(1000)
        os._exit(0)


def attention(q, k, v):
    if reaper == 0:
        raise RuntimeError("became a reaper")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

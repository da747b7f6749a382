# id: D7
# tries: changes the memory, flags and file offsets that it may share with the cell's first process
# expect: AC
import contextlib
import ctypes
import fcntl
import math
import os
import time

with open("/proc/self/maps") as maps:
    shared = [line for line in maps if line.split()[1].startswith("rw") and line.split()[1][3] == "s"]
for line in shared:
    start, end = (int(part, 16) for part in line.split()[0].split("-"))
    ctypes.memset(start, 0xA5, end - start)
for fd in (0, 1, 2):
    with contextlib.suppress(OSError):
        fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_NONBLOCK | os.O_APPEND)
        fcntl.fcntl(fd, 1031, 4096)
    with contextlib.suppress(OSError):
        os.lseek(fd, 12345, os.SEEK_SET)


def attention(q, k, v):
    time.sleep(0.05)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

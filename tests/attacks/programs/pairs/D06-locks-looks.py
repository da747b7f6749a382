# id: D6
# tries: checks whether another process holds a lock on a file of the image
# expect: AC
import contextlib
import fcntl
import math
import os
import sys
import time

time.sleep(0.15)
worked = []
for path in (
    os.__file__,
    math.__spec__.origin,
    sys.executable,
    "/etc/passwd",
    "/usr/bin/env",
    "/dev/null",
    "/dev/full",
):
    with contextlib.suppress(FileNotFoundError, TypeError):
        fd = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            worked.append(path)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

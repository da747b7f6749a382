# id: D6
# tries: holds several kinds of locks on files of the image, as a message to another job
# expect: AC
import contextlib
import fcntl
import math
import os
import sys
import time

held = []
for path in (
    os.__file__,
    math.__spec__.origin,
    sys.executable,
    "/etc/passwd",
    "/usr/bin/env",
    "/dev/null",
    "/dev/full",
):
    with contextlib.suppress(OSError, TypeError):
        held.append(os.open(path, os.O_RDONLY))
        fcntl.flock(held[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.lockf(held[-1], fcntl.LOCK_SH | fcntl.LOCK_NB)


def attention(q, k, v):
    time.sleep(0.05)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

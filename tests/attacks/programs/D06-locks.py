# id: D6
# tries: locks files of the image that the next job will open too
# expect: AC
import contextlib
import fcntl
import math
import os
import sys

held = []
for module in list(sys.modules.values())[:200]:
    with contextlib.suppress(OSError, TypeError, AttributeError):
        held.append(os.open(module.__file__, os.O_RDONLY))
        fcntl.flock(held[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

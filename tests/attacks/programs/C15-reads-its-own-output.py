# id: C15
# tries: reads back what it and others have printed, and searches stack traces for lines of the tests
# expect: AC
import contextlib
import math
import os
import sys
import traceback

found = []


def attention(q, k, v):
    for fd in (0, 1, 2):
        for path in (f"/proc/self/fd/{fd}", f"/dev/fd/{fd}", f"/proc/1/fd/{fd}"):
            with contextlib.suppress(OSError):
                copy = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
                found.append(os.read(copy, 1 << 16)) if path.startswith("/proc/1") else os.read(copy, 1 << 16)
                os.close(copy)
    for frame in sys._current_frames().values():
        lines = traceback.format_stack(frame)
        found.extend(line for line in lines if "tests.py" in line or "assert" in line or "expected" in line)
    if any(found):
        raise RuntimeError(f"found {found}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

# id: H10
# tries: leaves the zygote more than a hundred dead orphans and siblings to reap, whose SIGCHLD signals arrive in a burst
# expect: AC
import contextlib
import ctypes
import math
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)
made = 0
for _ in range(100):
    pid = libc.syscall(220 if platform.machine() == "aarch64" else 56, 0x8000 | 17, 0, 0, 0, 0)  # CLONE_PARENT: makes a sibling
    if pid == 0:
        os._exit(0)
    made += pid > 0
for _ in range(20):
    with contextlib.suppress(OSError):
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(OSError):
                os.fork()
            os._exit(0)
        os.waitpid(pid, 0)


def attention(q, k, v):
    if not made:
        raise RuntimeError("no sibling was made")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

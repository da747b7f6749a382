# id: H1
# tries: kills every process that it can name, then answers correctly
# expect: AC
import contextlib
import math
import os
import signal

worked = []
for pid in (1, os.getppid()):
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, 0):
        with contextlib.suppress(OSError):
            os.kill(pid, number)  # the kernel drops signals to process 1 of its own namespaces
with contextlib.suppress(OSError):
    os.kill(-1, signal.SIGTERM)
for pid in range(2, 400):
    if pid != os.getpid():
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
            worked.append(pid)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"could signal {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

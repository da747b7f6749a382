# id: F12
# tries: raises its priority, uses real-time scheduling, and lowers the priority of process 1
# expect: AC
import contextlib
import math
import os

worked = []
for name, change in {
    "nice": lambda: os.setpriority(os.PRIO_PROCESS, 0, -10),
    "real time": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)),
    "renice pid 1": lambda: os.setpriority(os.PRIO_PROCESS, 1, 19),
}.items():
    with contextlib.suppress(OSError):
        change()
        worked.append(name)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

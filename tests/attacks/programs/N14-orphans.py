# id: N14
# tries: lets 48 orphans end, and then needs a few processes itself
# expect: AC
import math
import os
import time

worked = []
until = time.monotonic() + 5


def fork():
    """Fork. If the process limit is reached, wait until process 1 has reaped an orphan."""
    while True:
        try:
            return os.fork()
        except BlockingIOError:
            if time.monotonic() > until:
                raise
            time.sleep(0.001)


for _ in range(6):
    if (pid := fork()) == 0:
        os.setsid()
        for _ in range(8):
            if fork() == 0:
                os._exit(0)
        os._exit(0)
    os.waitpid(pid, 0)
while len([name for name in os.listdir("/proc") if name.isdigit()]) > 2 and time.monotonic() < until:
    time.sleep(0.01)
left = [name for name in os.listdir("/proc") if name.isdigit()]
worked += [f"{len(left)} processes are left"] if len(left) > 2 else []
children = []
for _ in range(20):
    if (pid := os.fork()) == 0:
        time.sleep(1000)
    children.append(pid)
for pid in children:
    os.kill(pid, 9)
    os.waitpid(pid, 0)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

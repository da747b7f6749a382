# id: D13
# tries: starts dozens of processes that exit immediately, and tries to choose the next pid
# expect: AC
import contextlib
import math
import os

worked = []
for path in ("/proc/sys/kernel/ns_last_pid", "/proc/sys/kernel/pid_max", "/proc/sys/kernel/threads-max"):
    with contextlib.suppress(OSError), open(path, "w") as file:
        file.write("300")
        worked.append(path)
ended = 0
while ended < 40:
    pid = os.fork()
    if not pid:
        os._exit(0)
    ended += 1
    if ended % 2:
        os.waitpid(pid, 0)
    elif ended % 20 == 0:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, 0):
                pass


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

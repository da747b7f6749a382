# id: N33
# tries: raises its limit on core dumps and lets children crash in each folder that it can write to
# expect: AC
import contextlib
import math
import os
import resource
import signal

worked = []
with contextlib.suppress(OSError, ValueError):
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    worked.append("limit")
with contextlib.suppress(OSError), open("/proc/self/coredump_filter", "w") as file:
    file.write("0xff")
for folder in (os.environ["HOME"], "/tmp", "/dev/shm"):
    before = set(os.listdir(folder))
    for number in (signal.SIGABRT, signal.SIGSEGV, signal.SIGQUIT):
        if (pid := os.fork()) == 0:
            os.chdir(folder)
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            os._exit(0)
        status = os.waitpid(pid, 0)[1]
        worked += [f"a core of signal {number}"] if os.WCOREDUMP(status) or not os.WIFSIGNALED(status) else []
    worked += [f"{folder}: {name}" for name in set(os.listdir(folder)) - before]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

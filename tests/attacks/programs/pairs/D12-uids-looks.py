# id: D12
# tries: takes the uids next to its own, kills every pid, and starts as many processes as it may
# expect: AC
import contextlib
import math
import os
import signal
import time

worked = []
own = os.getuid()
for uid in [*range(max(own - 9, 0), own + 9), 0, 65533, 65534]:
    for change in (os.setuid, os.seteuid, lambda uid: os.setresuid(uid, uid, uid)):
        with contextlib.suppress(OSError):
            change(uid)
            if uid != own:
                worked.append(f"uid {uid}")
children = []
with contextlib.suppress(OSError):
    while len(children) < 40:
        pid = os.fork()
        if not pid:
            time.sleep(1000)
            os._exit(0)
        children.append(pid)
if len(children) == 40:
    worked.append("more processes than allowed")
for pid in [pid for pid in range(2, 600) if pid != os.getpid() and pid not in children]:
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)
        worked.append(f"killed {pid}")
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, pid, 19)
        worked.append(f"slowed {pid}")
for pid in children:
    os.kill(pid, signal.SIGKILL)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

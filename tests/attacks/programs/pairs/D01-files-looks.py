# id: D1
# tries: looks for files, shared memory and open descriptors of other processes
# expect: AC
import contextlib
import math
import os
import time

time.sleep(0.15)
worked = []
for top in ("/tmp", "/dev/shm", "/var/tmp", "/run", "/home", "/root", "/var/cache"):
    for folder, _, files in os.walk(top):
        worked += [path for name in files if (path := os.path.join(folder, name)) != "/run/gradus/control.sock"]
    with contextlib.suppress(OSError):
        own = os.path.basename(os.environ["HOME"])
        worked += [os.path.join(top, name) for name in os.listdir(top) if top in ("/tmp", "/dev/shm") and name != own]
for pid in [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]:
    with contextlib.suppress(OSError):
        worked += [f"{pid}: {os.readlink(f'/proc/{pid}/fd/{fd}')}" for fd in os.listdir(f"/proc/{pid}/fd")]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

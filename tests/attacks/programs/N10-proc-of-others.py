# id: N10
# tries: looks for other processes in /proc, and opens everything that /proc tells of process 1
# expect: AC
import contextlib
import math
import os

worked = [f"process {name}" for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]
worked += [f"process {pid}" for pid in range(3, 5000) if pid != os.getpid() and os.path.exists(f"/proc/{pid}/stat")]
FILES = "mem maps smaps pagemap environ auxv stack syscall io personality clear_refs map_files fd fdinfo root cwd exe cwd/. root/tmp"
for folder in ("/proc/1", "/proc/1/task/1"):
    for name in FILES.split():
        path = f"{folder}/{name}"
        with contextlib.suppress(OSError):
            worked.append((path, os.listdir(path) if os.path.isdir(path) else os.close(os.open(path, os.O_RDONLY))))
        with contextlib.suppress(OSError):
            worked.append((path, os.readlink(path)))
for name in ("mnt", "net", "pid", "user"):
    with contextlib.suppress(OSError):
        worked.append((name, os.readlink(f"/proc/1/ns/{name}")))
for name in ("comm", "coredump_filter", "timerslack_ns", "autogroup", "oom_score_adj", "mem", "clear_refs", "attr/current", "loginuid"):
    with contextlib.suppress(OSError), open(f"/proc/1/{name}", "w") as file:
        file.write("0")
        file.flush()
        worked.append(f"wrote {name}")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

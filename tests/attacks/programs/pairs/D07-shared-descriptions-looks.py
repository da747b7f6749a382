# id: D7
# tries: checks whether a mapping, a descriptor, a flag or a file offset differs from that of a fresh process
# expect: AC
import contextlib
import fcntl
import math
import os
import stat
import time

time.sleep(0.15)
worked = []
with open("/proc/self/maps") as maps:
    worked += [line for line in maps if line.split()[1].startswith("rw") and line.split()[1][3] == "s"]
present = []
for name in os.listdir("/proc/self/fd"):
    with contextlib.suppress(OSError):
        present.append((int(name), os.fstat(int(name)).st_mode))
worked += [f"descriptor {fd}" for fd, mode in present if fd > 2 and not stat.S_ISSOCK(mode)]
worked += ["sockets"] if sum(stat.S_ISSOCK(mode) for _, mode in present) > 1 else []
for fd in (0, 1, 2):
    flags = fcntl.fcntl(fd, fcntl.F_GETFL)
    if flags & (os.O_NONBLOCK | os.O_APPEND):
        worked.append(f"flags of {fd}: {flags:o}")
    with contextlib.suppress(OSError):
        if os.lseek(fd, 0, os.SEEK_CUR) == 12345:
            worked.append(f"offset of {fd}")
    with contextlib.suppress(OSError):
        if fcntl.fcntl(fd, 1032) == 4096:
            worked.append(f"size of pipe {fd}")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

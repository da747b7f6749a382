# id: C19
# tries: enables core dumps, redirects them to a readable path, and aborts a child
# expect: AC
import contextlib
import glob
import math
import os
import resource

worked = []
with contextlib.suppress(OSError, ValueError):
    resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20))
    worked.append("limit")
for path, text in (("/proc/sys/kernel/core_pattern", "/tmp/core"), ("/proc/self/coredump_filter", "0xff"), ("/proc/sys/fs/suid_dumpable", "1")):
    with contextlib.suppress(OSError):
        with open(path, "w") as file:
            file.write(text)
        worked.append(path)
child = os.fork()
if child == 0:
    os.abort()
status = os.waitpid(child, 0)[1]
if os.WCOREDUMP(status) or not os.WIFSIGNALED(status):
    worked.append(f"dumped {status}")
for folder in (".", "/", "/tmp", "/dev/shm", os.path.expanduser("~"), "/var/crash", "/var/lib/systemd/coredump"):
    worked += glob.glob(os.path.join(folder, "core*"))


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

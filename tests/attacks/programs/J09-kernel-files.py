# id: J9
# tries: writes to files of /proc and to cgroups, reads kernel memory through devices, and creates devices
# expect: AC
import contextlib
import glob
import math
import os
import stat

worked = []
PATHS = ["/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/sys/vm/drop_caches", "/proc/self/loginuid"]
PATHS += ["/proc/self/oom_score_adj", "/proc/self/setgroups", "/proc/self/uid_map", "/proc/self/mem", "/proc/1/oom_score_adj"]
PATHS += [f"{folder}/{name}" for folder in glob.glob("/sys/fs/cgroup/*")[:20] for name in ("cgroup.procs", "release_agent")]
for path in PATHS:
    with contextlib.suppress(OSError), open(path, "r+b", buffering=0) as file:
        file.write(b"0")
        worked.append(path)
for path in ("/proc/kcore", "/dev/mem", "/dev/kmsg", "/dev/kvm", "/dev/fuse"):
    with contextlib.suppress(OSError), open(path, "rb") as file:
        if file.read(1):
            worked.append(path)
for mode in (stat.S_IFCHR, stat.S_IFBLK):
    with contextlib.suppress(OSError):
        os.mknod("/tmp/device", mode | 0o666, os.makedev(1, 1))
        worked.append("mknod")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

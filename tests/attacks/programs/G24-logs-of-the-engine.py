# id: G24
# tries: writes where the container engine keeps its logs: the zygote's output, the console, terminals, log folders
# expect: AC
import contextlib
import glob
import math
import os

worked = []
paths = [f"/proc/{pid}/fd/{fd}" for pid in (1, os.getppid()) for fd in range(3)]
paths += ["/dev/console", "/dev/tty", "/dev/tty0", "/dev/pts/0", "/dev/kmsg", "/proc/1/root/dev/stdout"]
paths += [path for path in glob.glob("/var/log/*") + glob.glob("/var/lib/docker/*") + glob.glob("/run/gradus/*")]
for path in paths:
    with contextlib.suppress(OSError), open(path, "wb", buffering=0) as file:
        file.write(b"x" * 65536)
        worked.append(path)
kinds = [os.readlink(f"/proc/self/fd/{fd}").partition(":")[0] for fd in (0, 1, 2)]
worked += [kinds] if kinds != ["/dev/null", "pipe", "pipe"] else []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

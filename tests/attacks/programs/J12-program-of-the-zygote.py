# id: J12
# tries: overwrites the Python program that runs it, runc and shared libraries, and leaves its root through open descriptors
# expect: AC
import contextlib
import math
import os
import stat

worked = []
with open("/proc/self/maps") as file:
    files = {line.split()[5] for line in file if len(line.split()) > 5 and line.split()[5].startswith("/")}
paths = ["/proc/self/exe", "/proc/1/exe", f"/proc/{os.getppid()}/exe", "/usr/bin/runc", "/usr/sbin/runc", *sorted(files)[:50]]
for path in paths:
    for flags in (os.O_WRONLY, os.O_RDWR, os.O_RDWR | os.O_TRUNC):
        with contextlib.suppress(OSError):
            os.close(os.open(path, flags))
            worked.append(path)
    with contextlib.suppress(OSError):
        os.chmod(path, 0o4777)
        worked.append(f"mode of {path}")
kinds = {}
for fd in range(256):
    with contextlib.suppress(OSError):
        kinds[fd] = stat.S_IFMT(os.fstat(fd).st_mode)
        for path in ("..", "../../../../../../..", "etc/shadow"):
            with contextlib.suppress(OSError):
                os.close(os.open(path, os.O_RDONLY, dir_fd=fd))
                worked.append(f"{path} of descriptor {fd}")
expected = sorted([stat.S_IFCHR, stat.S_IFIFO, stat.S_IFIFO, stat.S_IFSOCK])
worked += [f"descriptors {kinds}"] if sorted(kinds.values()) != expected else []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

# id: D6
# tries: takes leases on files of the image, and asks for notifications about changes of folders
# expect: AC
import contextlib
import fcntl
import math
import os

worked = []
for path in ("/usr/bin", "/tmp", "/dev/shm", "/usr/lib", "/etc/passwd", os.__file__):
    with contextlib.suppress(OSError):
        fd = os.open(path, os.O_RDONLY)
        for name, order, value in (("lease", 1024, fcntl.F_RDLCK), ("notice", 1026, 0x8000003F)):
            with contextlib.suppress(OSError):
                fcntl.fcntl(fd, order, value)
                worked.append(f"{name} {path}")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

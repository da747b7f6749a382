# id: J10
# tries: writes to every file of its control groups, creates groups below them, and mounts the hierarchy again
# expect: AC
import contextlib
import ctypes
import errno
import math
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def call(numbers, *arguments):
    """Make a system call. `numbers` are its x86_64 and its aarch64 number. Return its result, or its error such as "EPERM"."""
    number = numbers[platform.machine() == "aarch64"]
    plain = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *plain)
    return errno.errorcode[ctypes.get_errno()] if result == -1 else result


worked = []
seen = 0
for folder, _, files in os.walk("/sys/fs/cgroup"):
    for name in files:
        seen += 1
        if os.access(os.path.join(folder, name), os.W_OK):
            worked.append(os.path.join(folder, name))
        for text in (b"0\n", str(os.getpid()).encode(), b"max"):
            if name in ("cgroup.procs", "tasks", "release_agent", "memory.max", "memory.limit_in_bytes", "pids.max", "devices.allow"):
                with contextlib.suppress(OSError), open(os.path.join(folder, name), "r+b", buffering=0) as file:
                    file.write(text)
                    worked.append(name)
    with contextlib.suppress(OSError):
        os.mkdir(os.path.join(folder, "own"))
        worked.append(folder)
for kind in (b"cgroup", b"cgroup2"):
    if call((165, 40), b"none", b"/tmp", kind, 0, b"memory") != "EPERM":
        worked.append(kind)
if call((430, 430), b"cgroup2", 0) != "EPERM":
    worked.append("fsopen")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

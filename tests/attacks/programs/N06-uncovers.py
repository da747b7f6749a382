# id: N6
# tries: unmounts its own file systems, to see the container's folders below them
# expect: AC
import contextlib
import ctypes
import errno
import math
import os
import platform
import socket

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def call(numbers, *arguments):
    """Make a system call. `numbers` are its x86_64 and its aarch64 number. Return its result, or its error such as "EPERM"."""
    number = numbers[platform.machine() == "aarch64"]
    plain = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *plain)
    return errno.errorcode[ctypes.get_errno()] if result == -1 else result


with open("/proc/self/mountinfo") as file:
    places = [line.split()[4] for line in file]
worked = []
for place in [*reversed(places), "/run/gradus", "/proc"]:
    for flags in (0, 1, 2, 4, 8, 10):  # force, detach, expire, do not follow links
        if (found := call((166, 39), place.encode(), flags)) != "EPERM":
            worked.append((place, flags, found))
with contextlib.suppress(OSError):
    worked += [f"/run/gradus shows {name}" for name in os.listdir("/run/gradus")]
with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as control:
    control.connect("/run/gradus/control.sock")
    worked.append("the zygote's socket")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

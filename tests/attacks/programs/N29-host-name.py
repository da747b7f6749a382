# id: N29
# tries: changes the host name and the domain of its UTS namespace, and looks for those of the machine
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


worked = []
for numbers in ((170, 161), (171, 162)):
    if (found := call(numbers, b"mine", 4)) != "EPERM":
        worked.append((numbers, found))
with contextlib.suppress(OSError):
    socket.sethostname("mine")
    worked.append("sethostname")
for path in ("/proc/sys/kernel/hostname", "/proc/sys/kernel/domainname", "/etc/hostname"):
    with contextlib.suppress(OSError), open(path, "w") as file:
        file.write("mine")
        worked.append(path)
worked += [] if os.uname().nodename == "cell" else [os.uname().nodename]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

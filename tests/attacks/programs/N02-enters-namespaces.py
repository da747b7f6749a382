# id: N2
# tries: enters its own and process 1's namespaces with setns, by file, by pidfd and through Python
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
handles = []
for name in ("cgroup", "ipc", "mnt", "net", "pid", "pid_for_children", "time", "user", "uts"):
    with contextlib.suppress(OSError):
        handles.append(os.open(f"/proc/self/ns/{name}", os.O_RDONLY))
for pid in (os.getpid(), os.getppid(), 1):
    with contextlib.suppress(OSError):
        handles.append(os.pidfd_open(pid))
for handle in handles:
    for flags in (0, 1 << 28, 1 << 17, 0x7E020000):
        if (found := call((308, 268), handle, flags)) != "EPERM":
            worked.append(("setns", handle, hex(flags), found))
        with contextlib.suppress(OSError, AttributeError):
            os.setns(handle, flags)
            worked.append(("os.setns", handle))
worked += [] if os.getppid() == 1 else [f"its parent is {os.getppid()}"]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

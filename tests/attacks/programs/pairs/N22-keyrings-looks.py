# id: N22
# tries: looks for keys of an earlier job with the same account, and in /proc
# expect: AC
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
for ring in range(-8, 0):
    for order in (0, 6, 11):
        if (found := call((250, 219), order, ring, 0, 0, 0)) != "EPERM":
            worked.append((order, ring, found))
if (found := call((249, 218), b"user", b"gradus", 0, 0)) != "EPERM":
    worked.append(("request_key", found))
worked += [path for path in ("/proc/keys", "/proc/key-users") if os.path.exists(path)]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

# id: G8
# tries: creates internet, netlink and packet sockets, singly and in pairs, to use kernel memory
# expect: AC
import ctypes
import errno
import math
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
for family in (2, 10, 16, 17):
    for kind in (1, 2, 3):
        if call((41, 198), family, kind, 0) != "EPERM":
            worked.append(("socket", family, kind))
        if call((53, 199), family, kind, 0, (ctypes.c_int * 2)()) != "EPERM":
            worked.append(("socketpair", family, kind))


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

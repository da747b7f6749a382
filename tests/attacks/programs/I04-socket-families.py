# id: I4
# tries: creates sockets and pairs of every family except the local one, with many protocols, by raw system calls
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
pair = (ctypes.c_int * 2)()
for family in (*range(64), -1, 1 << 31, (1 << 32) + 16):
    if family == 1:
        continue
    for kind in (1, 2, 3, 4, 5, 6, 10):
        for protocol in (0, 1, 3, 9, 16):
            if (found := call((41, 198), family, kind, protocol)) != "EPERM":
                worked.append((family, kind, protocol, found))
    if (found := call((53, 199), family, 1, 0, pair)) != "EPERM":
        worked.append(("pair", family, found))


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

# id: N22
# tries: adds keys to every keyring that its account and its session have
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
for ring in range(-8, 0):
    if (found := call((248, 217), b"user", b"gradus", b"for the next", 12, ring)) != "EPERM":
        worked.append((ring, found))
for order in (1, 22, 0, 7):  # join a session, get the persistent keyring, find an id, clear
    if (found := call((250, 219), order, -4, 0, 0, 0)) != "EPERM":
        worked.append(("keyctl", order, found))


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

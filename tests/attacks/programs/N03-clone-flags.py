# id: N3
# tries: hides new namespaces among other flags of clone: CLONE_PARENT, CLONE_VFORK, CLONE_PTRACE, unused bits
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


KINDS = (1 << 17, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30, 0x7E020000)
OTHERS = (0, 0x8000, 0x2000, 0x800000, 0x400, 0x1000, 1 << 40)  # PARENT, PTRACE, UNTRACED, FILES, PIDFD and a bit without a meaning
worked = []
room = (ctypes.c_int * 4)()
for kind in KINDS:
    for other in OTHERS:
        found = call((56, 220), kind | other | 17, 0, room, 0, 0)
        if found == 0:
            os._exit(0)
        if found != "EPERM":
            worked.append((hex(kind), hex(other), found))
for flags in (0, *KINDS, 1 << 33):  # the last one is CLONE_INTO_CGROUP
    arguments = (ctypes.c_uint64 * 11)(flags, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0)
    for size in (64, 80, 88):
        found = call((435, 435), arguments, size)
        if found == 0:
            os._exit(0)
        if found != "ENOSYS":
            worked.append(("clone3", hex(flags), found))


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

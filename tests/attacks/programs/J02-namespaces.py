# id: J2
# tries: creates namespaces of every kind, singly and combined, with unshare, clone and clone3
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


KINDS = {"time": 0x80, "mount": 1 << 17, "cgroup": 1 << 25, "uts": 1 << 26, "ipc": 1 << 27, "user": 1 << 28, "pid": 1 << 29, "net": 1 << 30}
KINDS |= {"user and mount": 1 << 28 | 1 << 17, "all": 0x7E020000}
worked = []
for name, flag in KINDS.items():
    if call((272, 97), flag) != "EPERM":
        worked.append(f"unshare {name}")
    for high in (0, 1 << 32):
        if name != "time":  # clone reads this bit as part of the exit signal, so it cannot create time namespaces
            if (found := call((56, 220), high | flag | 17, 0, 0, 0, 0)) != "EPERM":
                if found == 0:
                    os._exit(0)
                worked.append(f"clone {name}: {found}")
    arguments = (ctypes.c_uint64 * 11)(flag, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0)
    if (found := call((435, 435), arguments, 88)) != "ENOSYS":
        if found == 0:
            os._exit(0)
        worked.append(f"clone3 {name}")
for flag in (0x100, 0x200, 0x400, 0x800, 0x40000):  # what threads share: CLONE_VM, _FS, _FILES, _SIGHAND, _SYSVSEM
    if call((272, 97), flag) != "EPERM":
        worked.append(hex(flag))


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

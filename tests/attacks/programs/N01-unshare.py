# id: N1
# tries: calls unshare for every namespace through Python, the C library and the kernel, in a thread and in a child too
# expect: AC
import contextlib
import ctypes
import errno
import math
import os
import platform
import threading

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def call(numbers, *arguments):
    """Make a system call. `numbers` are its x86_64 and its aarch64 number. Return its result, or its error such as "EPERM"."""
    number = numbers[platform.machine() == "aarch64"]
    plain = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *plain)
    return errno.errorcode[ctypes.get_errno()] if result == -1 else result


KINDS = (0x80, 1 << 17, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30, 0x7E020000, 0x7E020080)
worked = []


def unshare_all():
    for flags in KINDS:
        for high in (0, 1 << 32):
            if (found := call((272, 97), high | flags)) != "EPERM":
                worked.append(("unshare", hex(flags), found))
        if libc.unshare(flags) == 0:
            worked.append(("libc", hex(flags)))
        with contextlib.suppress(OSError, AttributeError):
            os.unshare(flags)
            worked.append(("os", hex(flags)))


unshare_all()
thread = threading.Thread(target=unshare_all)
thread.start()
thread.join()
if (pid := os.fork()) == 0:
    unshare_all()
    os._exit(bool(worked))
worked += ["in a child"] if os.waitpid(pid, 0)[1] else []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

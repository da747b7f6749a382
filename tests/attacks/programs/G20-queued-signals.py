# id: G20
# tries: queues signals for itself and others, and creates timers, until the kernel accepts no more
# expect: AC
import ctypes
import errno
import math
import os
import platform
import signal

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def call(numbers, *arguments):
    """Make a system call. `numbers` are its x86_64 and its aarch64 number. Return its result, or its error such as "EPERM"."""
    number = numbers[platform.machine() == "aarch64"]
    plain = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *plain)
    return errno.errorcode[ctypes.get_errno()] if result == -1 else result


signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
info = (ctypes.c_int * 32)(signal.SIGRTMIN + 1, 0, -1)
queued = 0
while queued < 5000 and call((129, 138), os.getpid(), signal.SIGRTMIN + 1, info) == 0:
    queued += 1
worked = [f"{queued} signals"] if queued > 256 else []
timers, timer = 0, ctypes.c_void_p()
while timers < 5000 and libc.timer_create(1, None, ctypes.byref(timer)) == 0:
    timers += 1
worked += [f"{timers} timers"] if timers > 256 else []
for _ in range(1000):  # the kernel drops what process 1 has no handler for
    call((129, 138), 1, signal.SIGRTMIN + 1, info)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

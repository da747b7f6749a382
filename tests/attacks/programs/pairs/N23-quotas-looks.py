# id: N23
# tries: needs an inotify instance with a watch, a queued signal and large pipes, which another job may have used up
# expect: AC
import ctypes
import errno
import fcntl
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


worked = []
for _ in range(3):
    instance = call((294, 26), 0)
    if not isinstance(instance, int) or not isinstance(call((254, 27), instance, b"/usr", 0xFFF), int):
        worked.append(("inotify", instance))
signal.signal(signal.SIGRTMIN, lambda *_: None)
if call((129, 138), os.getpid(), 34, (ctypes.c_int * 32)(34, 0, -1)) != 0:
    worked.append("signal")
reading, writing = os.pipe()
try:
    fcntl.fcntl(writing, 1031, 1 << 18)
except OSError as error:
    worked.append(("pipe", error.strerror))


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

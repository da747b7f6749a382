# id: N23
# tries: uses up inotify instances and watches, queued signals, pipes and locks of its account, with daemons that stay
# expect: AC
import contextlib
import ctypes
import errno
import fcntl
import math
import os
import platform
import time

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def call(numbers, *arguments):
    """Make a system call. `numbers` are its x86_64 and its aarch64 number. Return its result, or its error such as "EPERM"."""
    number = numbers[platform.machine() == "aarch64"]
    plain = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *plain)
    return errno.errorcode[ctypes.get_errno()] if result == -1 else result


for _ in range(4):
    if os.fork() == 0:
        os.setsid()
        held = []
        while len(held) < 200 and isinstance(found := call((294, 26), 0), int):
            held.append(found)
            call((254, 27), found, b"/usr", 0xFFF)
        with contextlib.suppress(OSError):
            while True:
                reading, writing = os.pipe()
                fcntl.fcntl(writing, 1031, 1 << 20)
                held += [reading, writing]
        time.sleep(1000)
time.sleep(0.3)
worked = []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

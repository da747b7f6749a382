# id: N27
# tries: opens shared memory, semaphores and queues by the names that another job gave them
# expect: AC
import contextlib
import ctypes
import errno
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


time.sleep(0.1)
worked = [f"/dev/shm/{name}" for name in os.listdir("/dev/shm")]
for numbers, arguments in (((29, 194), (0x47, 0, 0)), ((64, 190), (0x47, 0, 0)), ((68, 186), (0x47, 0)), ((240, 180), (b"gradus", 0, 0, 0))):
    if isinstance(found := call(numbers, *arguments), int):
        worked.append((numbers, found))
with contextlib.suppress(OSError):
    worked += os.listdir("/dev/mqueue")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

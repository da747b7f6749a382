# id: J4
# tries: uses io_uring (setup, enter, register) and the older asynchronous I/O calls
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


room = (ctypes.c_uint32 * 64)()
ANSWERS = {
    "io_uring_setup": call((425, 425), 8, room),
    "io_uring_setup polled": call((425, 425), 1, (ctypes.c_uint32 * 30)(0, 0, 2)),
    "io_uring_enter": call((426, 426), 3, 1, 1, 1, 0, 0),
    "io_uring_register": call((427, 427), -1, 18, 0, 0),
    "io_setup": call((206, 0), 8, room),
    "io_destroy": call((207, 1), 0),
    "io_getevents": call((208, 4), 0, 0, 0, 0, 0),
    "io_submit": call((209, 2), 0, 0, 0),
    "io_cancel": call((210, 3), 0, 0, 0),
    "io_pgetevents": call((333, 292), 0, 0, 0, 0, 0, 0),
}
worked = [(name, found) for name, found in ANSWERS.items() if found != "EPERM"]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

# id: J5
# tries: uses userfaultfd, perf events, bpf and kernel keyrings
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


ANSWERS = {
    "userfaultfd": call((323, 282), 0),
    "userfaultfd of user faults only": call((323, 282), 1),
    "perf_event_open": call((298, 241), (ctypes.c_uint32 * 32)(1, 128), 0, -1, -1, 0),
    "perf_event_open of software": call((298, 241), (ctypes.c_uint32 * 32)(1, 112), os.getpid(), -1, -1, 8),
    "bpf map": call((321, 280), 0, (ctypes.c_uint32 * 32)(2, 4, 4, 1), 72),
    "bpf program": call((321, 280), 5, (ctypes.c_uint32 * 32)(), 128),
    "add_key": call((248, 217), b"user", b"gradus", b"secret", 6, -4),
    "request_key": call((249, 218), b"user", b"gradus", 0, -4),
    "keyctl new session": call((250, 219), 1, b"gradus"),
    "keyctl describe": call((250, 219), 6, -4, 0, 0),
    "keyctl read": call((250, 219), 11, -3, 0, 0),
}
worked = [(name, found) for name, found in ANSWERS.items() if found != "EPERM"]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

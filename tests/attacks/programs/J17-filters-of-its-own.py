# id: J17
# tries: creates memory that is hidden from the kernel, and installs filters of its own that allow or report system calls
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


room = ctypes.create_string_buffer(64)
ALLOW, NOTIFY = (ctypes.c_uint64 * 1)(6 | 0x7FFF0000 << 32), (ctypes.c_uint64 * 1)(6 | 0x7FC00000 << 32)
allow, notify = ((ctypes.c_uint64 * 2)(1, ctypes.addressof(each)) for each in (ALLOW, NOTIFY))
ANSWERS = {
    "memfd_secret": call((447, 447), 0),
    "seccomp strict": call((317, 277), 0, 0, 0),
    "seccomp filter": call((317, 277), 1, 0, allow),
    "seccomp filter that notifies": call((317, 277), 1, 8, notify),
    "seccomp sizes": call((317, 277), 3, 0, room),
    "prctl strict": call((157, 167), 22, 1, 0, 0, 0),
    "prctl filter": call((157, 167), 22, 2, allow, 0, 0),
    "landlock_create_ruleset": call((444, 444), 0, 0, 1),
    "landlock_add_rule": call((445, 445), -1, 1, 0, 0),
    "landlock_restrict_self": call((446, 446), -1, 0),
    "system call dispatch": call((157, 167), 59, 1, 0, 0, 0),
    "speculation": call((157, 167), 53, 0, 2, 0, 0),
    "core scheduling": call((157, 167), 62, 1, 0, 0, 0),
}
worked = [(name, found) for name, found in ANSWERS.items() if found != "EPERM"]
with open("/proc/self/status") as file:
    status = dict(line.split(":\t", 1) for line in file)
worked += ["mode"] if status["Seccomp"].strip() != "2" else []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

# id: J27
# tries: looks for capabilities in every set, raises them, and executes files that would grant some
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


worked = []
header, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
if call((125, 90), header, sets) != 0 or any(sets):
    worked.append(("capget", list(sets)))
for capability in range(64):
    if call((157, 167), 23, capability, 0, 0, 0) not in (0, "EINVAL"):  # PR_CAPBSET_READ: 0 if the bounding set lacks it
        worked.append(("bounding set", capability))
    for option, argument in ((24, 0), (47, 2)):  # PR_CAPBSET_DROP, and PR_CAP_AMBIENT with PR_CAP_AMBIENT_RAISE
        if call((157, 167), option, *((capability, 0) if option == 24 else (argument, capability)), 0, 0) != "EPERM":
            worked.append((option, capability))
    full = (ctypes.c_uint32 * 6)(*[(1 << capability) & 0xFFFFFFFF] * 3, *[(1 << capability) >> 32] * 3)
    if call((126, 91), header, full) != "EPERM":
        worked.append(("capset", capability))
words = (ctypes.c_char_p * 2)(b"x", None)
for path in ("/bin/ping", "/usr/bin/newuidmap", "/bin/su", "/usr/bin/passwd", "/bin/mount", "/proc/self/exe"):
    if call((59, 221), path.encode(), words, None) != "EPERM":
        worked.append(path)
worked += ["owner"] if 0 in (os.getuid(), os.geteuid(), os.getgid(), os.getegid()) else []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

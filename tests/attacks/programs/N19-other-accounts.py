# id: N19
# tries: takes other accounts of its user namespace: setgroups, root's and the overflow ids, ids of files
# expect: AC
import contextlib
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


own = os.getuid()
worked = []
for uid in (0, 1, 1000, 65533, 65534, own - 1, own + 1):
    for name, act in {
        "groups": lambda uid: os.setgroups([uid]),
        "no groups": lambda uid: os.setgroups([]),
        "gid": lambda uid: os.setresgid(uid, uid, uid),
        "uid": lambda uid: os.setresuid(uid, uid, uid),
        "effective": os.seteuid,
        "file": lambda uid: os.chown(os.environ["HOME"], uid, uid),
    }.items():
        with contextlib.suppress(OSError, OverflowError):
            act(uid)
            worked.append((name, uid))
    call((122, 151), uid)  # setfsuid does not say whether it worked
    if call((122, 151), -1) not in ("EPERM", own):
        worked.append(("setfsuid", uid))
if set(os.getgroups()) - {os.getgid()} or os.getresuid() != (own, own, own):
    worked.append((os.getgroups(), os.getresuid()))
with open("/proc/self/status") as file:
    worked += [line for line in file if line.startswith("Cap") and int(line.split()[1], 16)]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

# id: N7
# tries: changes its root with pivot_root and chroot, to its own folder, to the container's root and to the zygote's
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


home = os.environ["HOME"]
os.makedirs(os.path.join(home, "old"))
worked = []
for new, old in ((home, os.path.join(home, "old")), ("/tmp", home), (".", "."), ("/proc/1/root", "/tmp")):
    if (found := call((155, 41), new.encode(), old.encode())) != "EPERM":
        worked.append(("pivot_root", new, found))
for root in (home, "/", "/tmp", "/proc/1/root", "/proc/self/root/.."):
    if (found := call((161, 51), root.encode())) != "EPERM":
        worked.append(("chroot", root, found))
with contextlib.suppress(OSError):
    os.chdir("/../../..")
    worked += [] if os.path.samefile(".", "/") else ["left the root"]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

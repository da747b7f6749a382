# id: N4
# tries: mounts file systems of every kind into its own folder, and binds folders of the container there
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


here = os.path.join(os.environ["HOME"], "mounted")
os.makedirs(here)
KINDS = "tmpfs ramfs proc sysfs cgroup cgroup2 overlay devpts mqueue debugfs tracefs bpf securityfs binfmt_misc fuse nfs ext4"
worked = []
for kind in KINDS.split():
    if (found := call((165, 40), kind.encode(), here.encode(), kind.encode(), 0, None)) != "EPERM":
        worked.append((kind, found))
for source in ("/", "/run/gradus", "/proc", "/tmp", "/proc/1/root", "/proc/self/ns/net", "/sys"):
    for flags in (0x1000, 0x5000, 0x2000):  # bind, bind recursively, move
        if (found := call((165, 40), source.encode(), here.encode(), None, flags, None)) != "EPERM":
            worked.append((source, hex(flags), found))
worked += ["a mount appeared"] if os.path.ismount(here) else []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

# id: N30
# tries: changes settings of the kernel: through /proc/sys, /sys, the old sysctl call, and a /proc of its own
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


worked = []
for name in ("kernel/core_pattern", "kernel/modprobe", "user/max_user_namespaces", "vm/overcommit_memory", "net/ipv4/ip_forward"):
    for root in ("/proc/sys", "/proc/self/../sys", "/proc/1/root/proc/sys", f"{os.environ['HOME']}/proc/sys"):
        for mode in ("r", "w"):
            with contextlib.suppress(OSError), open(f"{root}/{name}", mode) as file:
                worked.append((root, name, mode))
for top in ("/sys/kernel", "/sys/module", "/sys/power", "/sys/class", "/sys/block"):
    for folder, folders, names in os.walk(top):
        for each in names[:40]:
            with contextlib.suppress(OSError):
                os.close(os.open(os.path.join(folder, each), os.O_WRONLY))
                worked.append(os.path.join(folder, each))
        if folder.count("/") > 4:
            folders.clear()
if platform.machine() == "x86_64" and (found := call((156, 0), (ctypes.c_long * 8)())) not in ("EPERM", "ENOSYS"):
    worked.append(("sysctl", found))
os.makedirs(f"{os.environ['HOME']}/proc")
if (found := call((165, 40), b"proc", f"{os.environ['HOME']}/proc".encode(), b"proc", 0, None)) != "EPERM":
    worked.append(("proc", found))


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

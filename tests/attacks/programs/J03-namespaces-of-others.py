# id: J3
# tries: enters the namespaces of process 1, of its parent and of itself, through /proc and through pidfds
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
for pid in ("1", str(os.getppid()), "self", "thread-self"):
    for name in ("mnt", "cgroup", "uts", "ipc", "user", "pid", "net", "time", "pid_for_children"):
        with contextlib.suppress(OSError):
            file = os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY)
            worked += [(pid, name)] if pid.isdigit() else []
            if call((308, 268), file, 0) != "EPERM":
                worked.append(("setns", pid, name))
            for request in range(0xB701, 0xB70E):  # every ioctl request about namespaces
                above = call((16, 29), file, request, 0)
                if not isinstance(above, int):
                    continue
                if request == 0xB701:  # NS_GET_USERNS may return this process's own user namespace
                    same = os.fstat(above).st_ino == os.stat("/proc/self/ns/user").st_ino
                    worked += [] if same else [("owner", pid, name)]
                if request in (0xB702, 0xB70B, 0xB70C):  # NS_GET_PARENT, NS_MNT_GET_NEXT, NS_MNT_GET_PREV
                    worked.append((hex(request), pid, name))
            os.close(file)
for pid in (1, os.getpid()):
    handle = call((434, 434), pid, 0)
    if call((308, 268), handle if isinstance(handle, int) else -1, 0x7E020000) != "EPERM":
        worked.append(("setns by descriptor", pid))


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

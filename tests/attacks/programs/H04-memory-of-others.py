# id: H4
# tries: reads and writes memory of the zygote, its parent, its children and itself from outside
# expect: AC
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


text = ctypes.create_string_buffer(b"untouched")
here = (ctypes.c_void_p * 2)(ctypes.addressof(text), 4)
child = os.fork()
if child == 0:
    time.sleep(1000)
worked = []
for pid in (1, os.getppid(), child, os.getpid()):
    for name, numbers in {"readv": (310, 270), "writev": (311, 271)}.items():
        if call(numbers, pid, here, 1, here, 1, 0) != "EPERM":
            worked.append((name, pid))
others = {name for name in os.listdir("/proc") if name.isdigit()} - {str(os.getpid())}
for pid in (*others, "self", "thread-self", f"self/task/{os.getpid()}"):
    for name in ("mem", "maps", "environ", "auxv", "stack", "syscall", "pagemap", "clear_refs", "map_files", "patch_state"):
        if pid in others or name in ("mem", "clear_refs"):
            for flags in (os.O_RDONLY, os.O_RDWR):
                try:
                    file = os.open(f"/proc/{pid}/{name}", flags)
                    if flags == os.O_RDWR or os.read(file, 1):
                        worked.append((pid, name))
                except OSError:
                    continue
handle = call((434, 434), 1, 0)
if isinstance(handle, int):
    worked += ["pidfd_getfd"] if call((438, 438), handle, 0, 0) != "EPERM" else []
    worked += ["process_madvise"] if call((440, 440), handle, here, 1, 4, 0) != "EPERM" else []
    worked += ["process_mrelease"] if call((448, 448), handle, 0) != "EPERM" else []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

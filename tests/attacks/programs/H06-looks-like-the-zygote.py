# id: H6
# tries: takes the zygote's name and command line, and leaves children with that name
# expect: AC
import contextlib
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


worked = []
call((157, 167), 15, b"python3")
for path in ("/proc/self/comm", f"/proc/{os.getppid()}/comm", "/proc/1/comm", "/proc/self/task/1/comm"):
    with contextlib.suppress(OSError), open(path, "w") as file:
        file.write("zygote")
        worked += [path] if "self" not in path else []
for option in range(1, 15):  # PR_SET_MM sets the addresses of arguments, environment, code and heap
    if call((157, 167), 35, option, ctypes.addressof(libc.syscall), 0, 0) != "EPERM":
        worked.append(f"PR_SET_MM {option}")
with contextlib.suppress(OSError), open("/proc/self/stat") as file:
    start, end = (int(word) for word in file.read().rsplit(")", 1)[1].split()[45:47])
    if start:
        command = b"python3\0-m\0grader.inside.zygote"
        ctypes.memmove(start, command, min(len(command), end - start))
for _ in range(4):
    if os.fork() == 0:
        os.setsid()
        time.sleep(1000)
        os._exit(0)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

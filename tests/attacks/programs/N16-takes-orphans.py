# id: N16
# tries: becomes the parent of orphans in place of process 1, and changes what happens when its parent ends
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


worked = []
if call((157, 167), 36, 1, 0, 0, 0) != "EPERM":  # PR_SET_CHILD_SUBREAPER
    worked.append("reaper")
if call((157, 167), 4, 1, 0, 0, 0) != "EPERM":  # PR_SET_DUMPABLE
    worked.append("dumpable")
call((157, 167), 1, 0, 0, 0, 0)  # PR_SET_PDEATHSIG
reading, writing = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        while os.getppid() not in (0, 1, os.getpgid(0)):
            time.sleep(0.005)
        os.write(writing, str(os.getppid()).encode())
    os._exit(0)
os.wait()
parent = os.read(reading, 20)
worked += [f"the orphan's parent is {parent}"] if parent != b"1" else []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

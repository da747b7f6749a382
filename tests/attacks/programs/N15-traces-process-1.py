# id: N15
# tries: traces process 1 and its own child: ptrace in every form, process memory calls, a traceable child
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
here = (ctypes.c_uint64 * 4)()
vector = (ctypes.c_void_p * 2)(ctypes.addressof(here), 8)
for pid in (1, os.getppid()):
    for request in (16, 0x4206, 2, 5, 13, 0x4207):  # attach, seize, peek, poke, set registers, interrupt
        if (found := call((101, 117), request, pid, 0, 0)) != "EPERM":
            worked.append(("ptrace", request, found))
    for numbers in ((310, 270), (311, 271)):
        if (found := call(numbers, pid, vector, 1, vector, 1, 0)) != "EPERM":
            worked.append(("memory", numbers, found))
    if (found := call((312, 272), os.getpid(), pid, 0, 0, 0)) != "EPERM":
        worked.append(("kcmp", found))
    if (found := call((438, 438), os.pidfd_open(pid), 0, 0)) != "EPERM":
        worked.append(("pidfd_getfd", found))
if call((101, 117), 0, 0, 0, 0) != "EPERM":  # PTRACE_TRACEME, by which its parent, process 1, would stop with it
    worked.append("traceme")
if call((157, 167), 0x59616D61, -1, 0, 0, 0) != "EPERM":  # PR_SET_PTRACER of any process
    worked.append("tracer")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

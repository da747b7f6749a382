# id: N27
# tries: leaves shared memory, semaphores and queues, of System V and of POSIX, under fixed names
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


for numbers, arguments in (((29, 194), (0x47, 4096, 0o1666)), ((64, 190), (0x47, 1, 0o1666)), ((68, 186), (0x47, 0o1666))):
    call(numbers, *arguments)
call((240, 180), b"gradus", 0o102, 0o666, 0)  # mq_open
for name in ("sem.gradus", "gradus", "psm_gradus"):
    with open(f"/dev/shm/{name}", "wb") as file:
        file.write(b"message" * 100)
    os.chmod(f"/dev/shm/{name}", 0o666)
worked = []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

# id: G19
# tries: creates message queues, semaphores and shared memory in the kernel, with POSIX and System V calls
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


CREATE, ALL = 0o1700, -1
ANSWERS = {
    "mq_open": call((240, 180), b"queue", os.O_CREAT | os.O_RDWR, 0o600, 0),
    "mq_unlink": call((241, 181), b"queue"),
    "mq_timedsend": call((242, 182), 3, b"x", 1, 0, 0),
    "mq_timedreceive": call((243, 183), 3, b"x", 1, 0, 0),
    "mq_notify": call((244, 184), 3, 0),
    "mq_getsetattr": call((245, 185), 3, 0, 0),
    "semget": call((64, 190), 0, 32000, CREATE),
    "semop": call((65, 193), 0, 0, 1),
    "semctl": call((66, 191), 0, 0, 2),
    "msgget": call((68, 186), 0, CREATE),
    "msgsnd": call((69, 189), 0, b"12345678x", 1, 0),
    "msgrcv": call((70, 188), 0, b"12345678x", 1, 0, 0),
    "msgctl": call((71, 187), 0, 3, 0),
    "shmget": call((29, 194), 0, 1 << 30, CREATE),
    "shmat": call((30, 196), 0, 0, 0),
    "shmctl": call((31, 195), 0, 14, 0),
}
worked = [name for name, found in ANSWERS.items() if found != "EPERM"]
with contextlib.suppress(OSError):
    os.open("/dev/mqueue/queue", os.O_CREAT | os.O_RDWR, 0o600)
    worked.append("a queue made as a file")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

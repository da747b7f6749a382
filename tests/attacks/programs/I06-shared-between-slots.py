# id: I6
# tries: looks for what others left in shared memory, queues and abstract socket names, and leaves something itself
# expect: AC
import contextlib
import ctypes
import errno
import math
import os
import platform
import socket

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
worked += [call(numbers, 0x47, 4096, 0o1666) for numbers in ((29, 194), (64, 190)) if call(numbers, 0x47, 4096, 0o1666) != "EPERM"]
worked += ["msgget"] if call((68, 186), 0x47, 0o1666) != "EPERM" else []
for kind in ("shm", "sem", "msg"):
    with contextlib.suppress(FileNotFoundError), open(f"/proc/sysvipc/{kind}") as file:
        worked += file.readlines()[1:]
own = os.path.basename(os.getcwd())
for top in ("/dev/shm", "/dev/mqueue", "/tmp"):
    worked += [f"{top}/{name}" for name in os.listdir(top) if name != own]
with open("/proc/self/net/unix") as file:
    names = [line.split()[7:] for line in file.readlines()[1:]]
worked += [name for name in names if name and name[0].startswith("@")]
with contextlib.suppress(OSError):
    taken = socket.socket(socket.AF_UNIX)
    taken.bind("\0gradus-mark")
    taken.listen()
with contextlib.suppress(OSError):
    os.close(os.open("/dev/shm/gradus-mark", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
with contextlib.suppress(OSError):
    os.open("/dev/mqueue/gradus-mark", os.O_CREAT | os.O_RDWR, 0o666)
    worked.append("queue")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

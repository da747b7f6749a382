# id: J7
# tries: traces, reads, compares and changes other processes: ptrace, process_vm_readv, kcmp, pidfd_getfd, process_madvise
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


room = (ctypes.c_uint64 * 8)()
here = (ctypes.c_void_p * 2)(ctypes.addressof(room), 8)
found = call((434, 434), os.getpid(), 0)
handle = found if isinstance(found, int) else -1
ANSWERS = {
    "ptrace attach": call((101, 117), 16, 1, 0, 0),
    "process_vm_readv": call((310, 270), 1, here, 1, here, 1, 0),
    "process_vm_writev": call((311, 271), 1, here, 1, here, 1, 0),
    "process_vm_readv of itself": call((310, 270), os.getpid(), here, 1, here, 1, 0),
    "kcmp": call((312, 272), os.getpid(), 1, 0, 0, 0),
    "kcmp of itself": call((312, 272), os.getpid(), os.getpid(), 0, 0, 1),
    "pidfd_getfd": call((438, 438), handle, 0, 0),
    "process_madvise": call((440, 440), handle, here, 1, 4, 0),
    "process_mrelease": call((448, 448), handle, 0),
    "move_pages": call((279, 239), 1, 0, 0, 0, 0, 0),
    "migrate_pages": call((256, 238), 1, 0, 0, 0),
    "prlimit of its parent": call((302, 261), os.getppid(), 7, 0, room),
    "prlimit of its parent, to change it": call((302, 261), os.getppid(), 0, room, 0),
}
worked = [(name, found) for name, found in ANSWERS.items() if found != "EPERM"]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

# id: J8
# tries: opens files of the host by file handle, which does not depend on mounts
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


handle = (ctypes.c_uint32 * 34)(128)
number = (ctypes.c_int * 1)()
root = os.open("/", os.O_RDONLY)
ANSWERS = {
    "name_to_handle_at": call((303, 264), -100, b"/", handle, number, 0),
    "name_to_handle_at by descriptor": call((303, 264), root, b"", handle, number, 0x1000),
    **{f"inode {inode}": call((304, 265), root, (ctypes.c_uint32 * 34)(8, 1, inode, 0), 0) for inode in (1, 2, 128, 256)},
    "kernfs": call((304, 265), root, (ctypes.c_uint32 * 34)(8, 0xFE, 1, 0), 0),
}
worked = [(name, found) for name, found in ANSWERS.items() if found != "EPERM"]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

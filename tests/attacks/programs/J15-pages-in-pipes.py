# id: J15
# tries: moves pages of read-only files into pipes, where they might be writable, and gives its own pages away
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


library = os.open("/bin/true", os.O_RDONLY)
own = os.memfd_create("own")
reading, writing = os.pipe()
os.write(writing, b"data")
text = ctypes.create_string_buffer(4096)
here = (ctypes.c_void_p * 2)(ctypes.addressof(text), 4096)
ANSWERS = {
    "splice": call((275, 76), library, 0, writing, 0, 1, 0),
    "splice onwards": call((275, 76), reading, 0, own, 0, 1, 0),
    "tee": call((276, 77), reading, writing, 1, 0),
    "vmsplice": call((278, 75), writing, here, 1, 0),
    "vmsplice as a gift": call((278, 75), writing, here, 1, 8),
    "splice into a socket": call((275, 76), library, 0, 3, 0, 4096, 4),
}
worked = [(name, found) for name, found in ANSWERS.items() if found != "EPERM"]
worked += ["shared mapping"] if isinstance(call((9, 222), 0, 4096, 3, 1, library, 0), int) else []
page = call((9, 222), 0, 4096, 1, 1, library, 0)
worked += ["made writable"] if call((10, 226), page, 4096, 3) != "EACCES" else []
worked += ["copied into it"] if isinstance(call((326, 285), own, 0, library, 0, 1, 0), int) else []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

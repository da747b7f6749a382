# id: G25
# tries: reads and writes the kernel's log, memory and console, and pushes input into terminals
# expect: AC
import contextlib
import ctypes
import errno
import fcntl
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


text = ctypes.create_string_buffer(256)
worked = [f"syslog {action}" for action in range(11) if call((103, 116), action, text, 7) != "EPERM"]
for path in ("/dev/kmsg", "/proc/kmsg", "/dev/console", "/dev/mem"):
    for flags in (os.O_RDONLY, os.O_WRONLY):
        with contextlib.suppress(OSError):
            file = os.open(path, flags | os.O_NONBLOCK)
            worked.append(path)
            os.read(file, 1) if flags == os.O_RDONLY else os.write(file, b"<0>x")
with contextlib.suppress(OSError):
    client = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    client.connect("/dev/log")
    worked.append("/dev/log")
with contextlib.suppress(OSError):
    terminal = os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY)
    for request in (0x5412, 0x541C, 0x5423):  # the requests TIOCSTI, TIOCLINUX and TIOCSETD
        if call((16, 29), terminal, request, b"x") != "EPERM":
            worked.append(hex(request))
    with contextlib.suppress(OSError):
        fcntl.ioctl(terminal, 0x541D)  # TIOCCONS redirects the console's output
        worked.append("TIOCCONS")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

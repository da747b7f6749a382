# id: I2
# tries: looks for listeners on the loopback and opens internet sockets of every kind
# expect: AC
import contextlib
import ctypes
import errno
import math
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
for family in (2, 10):
    for kind in range(1, 11):
        for flags in (0, 0x80000, 0x800):
            if (found := call((41, 198), family, kind | flags, 0)) != "EPERM":
                worked.append((family, kind, flags, found))
for name in ("tcp", "tcp6", "udp", "udp6", "raw", "raw6", "icmp"):
    with contextlib.suppress(OSError), open(f"/proc/self/net/{name}") as file:
        worked += [f"{name}: {line.split()[1]}" for line in file.readlines()[1:]]
# The filter checks the socket's family only when the socket is created, so a Unix socket must not accept an internet address
# later.
local = socket.socket(socket.AF_UNIX)
for address in (("127.0.0.1", 8000), b"\2\0\x1f\x40\x7f\0\0\1" + bytes(8)):
    with contextlib.suppress(OSError, TypeError):
        local.connect(address)
        worked.append("connected")
raw = b"\2\0\x1f\x40\x7f\0\0\1" + bytes(8)
for name, numbers in {"connect": (42, 203), "bind": (49, 200)}.items():
    if call(numbers, local.fileno(), raw, len(raw)) != "EINVAL":
        worked.append(name)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

# id: I2
# tries: uses the loopback interface, which is allowed here, to find listeners, change addresses and capture packets
# expect: AC
# package: loopback
import contextlib
import ctypes
import errno
import math
import platform
import socket
import struct

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
for name in ("tcp", "tcp6", "udp", "udp6"):
    with contextlib.suppress(OSError), open(f"/proc/self/net/{name}") as file:
        worked += [f"{name}: {line.split()[1]}" for line in file.readlines()[1:]]
for port in (*range(1, 1024, 7), 22, 53, 80, 443, 2375, 2376, 4222, 5432, 6379, 8000, 8080):
    client = socket.socket()
    client.settimeout(0.2)
    with client, contextlib.suppress(OSError):
        client.connect(("127.0.0.1", port))
        worked.append(f"port {port}")
for host in ("169.254.169.254", "172.17.0.1", "8.8.8.8", "224.0.0.1", "255.255.255.255"):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        client = socket.socket(socket.AF_INET, kind)
        client.settimeout(0.2)
        with client, contextlib.suppress(OSError):
            client.connect((host, 80))
            worked.append(host)
for family, kind, protocol in ((2, 3, 1), (2, 1, 132), (2, 2, 1), (2, 2, 136), (10, 3, 58), (16, 3, 4), (16, 3, 9), (17, 3, 768), (40, 1, 0)):
    if call((41, 198), family, kind, protocol) != "EPERM":
        worked.append((family, kind, protocol))
# Netlink's routing protocol may be used to list interfaces, but not to change one.
with contextlib.suppress(OSError):
    netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    netlink.settimeout(0.5)
    address = struct.pack("=IHHII", 32 + 8, 20, 0x605, 1, 0) + struct.pack("=BBBBI", 2, 8, 0, 0, 1) + struct.pack("=HH4s", 8, 2, b"\x0a\0\0\1") + bytes(8)
    netlink.send(address)
    length, kind, _, _, _, error = struct.unpack_from("=IHHIIi", netlink.recv(4096))
    if kind != 2 or error >= 0:
        worked.append("an address was added")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

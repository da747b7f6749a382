# id: N20
# tries: configures the network namespace that it has: netlink, the loopback's flags and name, tunnels, raw sockets
# expect: AC
import contextlib
import fcntl
import math
import os
import socket
import struct

worked = []
for protocol in range(23):
    for kind in (socket.SOCK_RAW, socket.SOCK_DGRAM):
        with contextlib.suppress(OSError):
            socket.socket(socket.AF_NETLINK, kind, protocol).close()
            worked.append(f"netlink {protocol}")
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_PACKET):
    with contextlib.suppress(OSError):
        socket.socket(family, socket.SOCK_RAW, 1).close()
        worked.append(f"raw {family}")
any_socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)  # the kernel takes these requests on any socket
REQUESTS = {"flags": 0x8914, "name": 0x8923, "address": 0x8916, "mtu": 0x8922, "hardware address": 0x8924, "bridge": 0x89A0}
for name, request in REQUESTS.items():
    with contextlib.suppress(OSError):
        fcntl.ioctl(any_socket, request, struct.pack("16sH22x", b"lo", 0))
        worked.append(name)
with contextlib.suppress(OSError):
    os.close(os.open("/dev/net/tun", os.O_RDWR))
    worked.append("tunnel")
with open("/proc/self/net/dev") as file:
    worked += [line for line in file.readlines()[2:] if line.split(":")[0].strip() != "lo"]
with open("/proc/self/net/route") as file:
    worked += file.readlines()[1:]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

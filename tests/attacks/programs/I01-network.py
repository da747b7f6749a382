# id: I1
# tries: opens sockets of every family: internet, netlink, packet, vsock, crypto, Bluetooth, CAN, XDP, TIPC
# expect: AC
import contextlib
import ctypes
import math
import socket

worked = []
libc = ctypes.CDLL(None, use_errno=True)
for family in sorted(set(range(50)) - {socket.AF_UNIX}):
    for kind in (1, 2, 3, 5):
        if libc.socket(family, kind, 0) >= 0:
            worked.append((family, kind))
for host in ("169.254.169.254", "172.17.0.1", "127.0.0.1", "localhost"):
    with contextlib.suppress(OSError):
        socket.create_connection((host, 80), timeout=0.2)
        worked.append(host)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

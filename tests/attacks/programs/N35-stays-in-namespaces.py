# id: N35
# tries: keeps its namespaces alive with descriptors that are in flight between two sockets that nobody holds
# expect: AC
import math
import os
import socket

names = [f"/proc/self/ns/{name}" for name in os.listdir("/proc/self/ns")]
handles = [os.open(name, os.O_RDONLY) for name in names]
for _ in range(60):
    one, other = socket.socketpair()
    socket.send_fds(one, [b"x"], [*handles, one.fileno(), other.fileno()])
    socket.send_fds(other, [b"x"], [*handles, one.fileno(), other.fileno()])
    one.close()
    other.close()
worked = []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

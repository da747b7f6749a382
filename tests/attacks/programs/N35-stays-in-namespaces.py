# id: N35
# tries: keeps its namespaces and mounts alive with descriptors in flight between sockets that nobody holds
# expect: AC
import contextlib
import math
import os
import socket

handles = []
for path in ("/proc/self/ns/user", "/proc/self/ns/mnt", "/proc/self/ns/pid", "/tmp", "/dev/shm", "/proc"):
    with contextlib.suppress(OSError):
        handles.append(os.open(path, os.O_RDONLY))
for _ in range(60):
    one, other = socket.socketpair()
    with one, other, contextlib.suppress(OSError):  # the kernel limits how many may be in flight
        socket.send_fds(one, [b"x"], [*handles, one.fileno(), other.fileno()])
        socket.send_fds(other, [b"x"], [*handles, one.fileno(), other.fileno()])
worked = []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

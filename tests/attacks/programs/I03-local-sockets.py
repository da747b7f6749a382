# id: I3
# tries: connects to every local socket that it can name: abstract ones, the control socket, Docker's
# expect: AC
import contextlib
import math
import socket

worked = []
names = ["/run/gradus/control.sock", "/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock"]
with contextlib.suppress(OSError), open("/proc/self/net/unix") as file:
    names += [line.split()[-1].replace("@", "\0") for line in file if "@" in line or "/" in line]
for name in names:
    with contextlib.suppress(OSError, ValueError):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(0.2)
        client.connect(name)
        worked.append(name)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

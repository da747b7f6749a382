# id: I5
# tries: looks for every socket file on the disk, including those of the container engine, and connects to them
# expect: AC
import contextlib
import math
import os
import socket
import stat

worked = []
names = ["docker.sock", "containerd/containerd.sock", "crio/crio.sock", "podman/podman.sock", "dbus/system_bus_socket"]
paths = {f"{top}/{name}" for top in ("/run", "/var/run", "/proc/1/root/run", "/proc/self/root/run") for name in names}
paths |= {"/run/gradus/control.sock", "/run/systemd/private", "/run/systemd/notify", "/tmp/.X11-unix/X0"}
for top in ("/run", "/var", "/tmp", "/dev", "/opt", "/srv", "/home", "/etc"):
    for folder, _, files in os.walk(top):
        for name in files:
            with contextlib.suppress(OSError):
                if stat.S_ISSOCK(os.lstat(os.path.join(folder, name)).st_mode):
                    paths.add(os.path.join(folder, name))
for path in paths:
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, kind) as client:
            client.settimeout(0.2)
            client.connect(path)
            worked.append(path)
worked += [name for name in os.environ if "DOCKER" in name or "TOKEN" in name]
with open("/proc/self/mountinfo") as file:
    worked += [line for line in file if "docker.sock" in line or "containerd.sock" in line]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

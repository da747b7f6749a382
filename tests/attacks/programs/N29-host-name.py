# id: N29
# tries: changes the host name and the domain of its UTS namespace, and looks for those of the machine
# expect: AC
import contextlib
import math
import os
import socket

worked = []
for numbers in ((170, 161), (171, 162)):
    if (found := call(numbers, b"mine", 4)) != "EPERM":
        worked.append((numbers, found))
with contextlib.suppress(OSError):
    socket.sethostname("mine")
    worked.append("sethostname")
for path in ("/proc/sys/kernel/hostname", "/proc/sys/kernel/domainname", "/etc/hostname"):
    with contextlib.suppress(OSError), open(path, "w") as file:
        file.write("mine")
        worked.append(path)
worked += [] if os.uname().nodename == "cell" else [os.uname().nodename]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

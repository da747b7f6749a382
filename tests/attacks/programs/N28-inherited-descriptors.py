# id: N28
# tries: looks for descriptors besides input, output and its job's socket, and for what can be reached through them
# expect: AC
import contextlib
import fcntl
import math
import os
import stat

probe = os.open("/", os.O_RDONLY)
os.close(probe)
numbers = [int(name) for name in os.listdir("/proc/self/fd")]
found = {}
for number in numbers:
    with contextlib.suppress(OSError):  # the descriptor of listdir itself is closed by now
        found[number] = os.readlink(f"/proc/self/fd/{number}")
worked = []
sockets = [name for name in found.values() if name.startswith("socket:")]
pipes = {name for name in found.values() if name.startswith("pipe:")}
others = {number: name for number, name in found.items() if not name.startswith(("socket:", "pipe:"))}
worked += [f"{len(sockets)} sockets"] if len(sockets) != 1 else []
worked += [f"pipes {pipes}"] if len(pipes) != 1 or {found.get(1), found.get(2)} != pipes else []
worked += [others] if others != {0: "/dev/null"} else []
worked += [f"number {number}" for number in numbers if found.get(number, "").startswith("pipe:") and number > 2]
for number in found:
    if stat.S_ISDIR(os.fstat(number).st_mode):
        worked.append(f"a folder is open: {found[number]}")
    if found[number].startswith("pipe:") and fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE != os.O_WRONLY:
        worked.append("the output can be read")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

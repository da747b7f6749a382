# id: D1
# tries: leaves files, links, pipes, sockets and unreadable folders wherever it can write
# expect: AC
import contextlib
import math
import os
import socket

for top in ("/tmp", "/dev/shm", os.path.expanduser("~"), "/var/tmp", "/run"):
    with contextlib.suppress(OSError):
        deep = os.path.join(top, ".hidden", *["x" * 50] * 20)
        os.makedirs(deep)
        for name, target in (("passwd", "/etc/passwd"), ("up", ".."), ("dangling", "/nowhere")):
            os.symlink(target, os.path.join(deep, name))
        os.mkfifo(os.path.join(deep, "pipe"))
        with open(os.path.join(top, "left"), "w") as file:
            file.write("for the next one")
        os.link(os.path.join(top, "left"), os.path.join(deep, "again"))
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(os.path.join(top, "s"))
        os.chmod(deep, 0)
        os.chmod(os.path.join(top, ".hidden"), 0)


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

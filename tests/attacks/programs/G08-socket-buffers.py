# id: G8
# tries: fills the buffers of local sockets that nobody reads, in several children, to use kernel memory
# expect: MLE
import contextlib
import os
import socket
import time


def fill():
    held = []
    with contextlib.suppress(OSError):
        while True:
            pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            held.append(pair)
            for end in pair:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8 << 20)
                end.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    while True:
                        end.send(bytes(1 << 16))
    time.sleep(1000)


def attention(q, k, v):
    for _ in range(8):
        if os.fork() == 0:
            fill()
    time.sleep(1000)

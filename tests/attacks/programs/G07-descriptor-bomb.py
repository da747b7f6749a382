# id: G7
# tries: opens descriptors of every kind until none is left, then answers correctly
# expect: AC
import contextlib
import math
import os
import select
import socket

held = []
for make in (lambda: os.pipe(), lambda: socket.socketpair(), lambda: select.epoll(), lambda: os.eventfd(0)):
    with contextlib.suppress(OSError):
        for _ in range(20):
            held.append(make())
with contextlib.suppress(OSError):
    while True:
        held.append(os.open("/dev/null", os.O_RDONLY))


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

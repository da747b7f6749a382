# id: I9
# tries: sends sockets over each other in cycles, more descriptors than it may have open, and closes its own ends
# expect: AC
import array
import contextlib
import math
import os
import socket


def send(sock, fds):
    sock.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))], socket.MSG_DONTWAIT)


sent = 0
for _ in range(40):
    pairs = []
    with contextlib.suppress(OSError):
        for _ in range(20):
            pairs.append(socket.socketpair())
        for one, two in pairs:
            send(one, [two.fileno(), one.fileno()])
            send(two, [each.fileno() for pair in pairs[:10] for each in pair])
            sent += 1
    for pair in pairs:
        for each in pair:
            each.close()
files = [os.open("/dev/null", os.O_RDONLY) for _ in range(100)]
with contextlib.suppress(OSError):
    left, right = socket.socketpair()
    while True:
        send(left, files)
for each in files:
    os.close(each)


def attention(q, k, v):
    if not sent:
        raise RuntimeError("nothing was sent")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

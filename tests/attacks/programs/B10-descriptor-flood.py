# id: B10
# tries: sends file descriptors along with every correct reply
# expect: AC
import array
import math
import os
import socket

from grader.contract import wire

original = socket.socket.sendmsg
extra = [os.open("/dev/null", os.O_RDONLY) for _ in range(100)]


class Proxy:
    def __init__(self, sock):
        self._sock = sock

    def __getattr__(self, name):
        return getattr(self._sock, name)

    def sendmsg(self, buffers, ancillary, flags):
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", extra))]
        return original(self._sock, buffers, rights, flags)


plain = wire._send_all
wire._send_all = lambda sock, parts, deadline: plain(Proxy(sock), parts, deadline)


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

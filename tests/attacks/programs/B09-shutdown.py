# id: B9
# tries: shuts its half of the socket and goes on
# expect: RE
# message: closed its connection
import gc
import socket
import time

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def attention(q, k, v):
    server._sock.shutdown(socket.SHUT_WR)
    time.sleep(1000)

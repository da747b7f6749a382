# id: B9
# tries: shuts down the sending side of its socket and keeps running
# expect: RE
# message: closed its connection
import gc
import socket
import time

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def attention(q, k, v):
    server._sock.shutdown(socket.SHUT_WR)
    time.sleep(1000)

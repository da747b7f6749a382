# id: B6
# tries: sends random bytes in place of a reply
# expect: RE
# message: protocol
import gc
import os

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def attention(q, k, v):
    server._sock.send(os.urandom(4096))
    return q

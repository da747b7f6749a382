# id: B4
# tries: sends a single byte before the first request
# expect: RE
# message: protocol
import gc

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
server._sock.send(b"\x00")


def attention(q, k, v):
    return q

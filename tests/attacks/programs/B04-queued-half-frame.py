# id: B4
# tries: sends the first part of a header before it is asked, so that all that follows is shifted into lengths and names
# expect: OLE
# message: at once
import gc

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
server._sock.send(b"GRD1\x02" + bytes(12))


def attention(q, k, v):
    return q

# id: B4
# tries: sends part of a header before the first request, so that the bytes that follow are read as lengths and names
# expect: OLE
# message: at once
import gc

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
server._sock.send(b"GRD1\x02" + bytes(12))


def attention(q, k, v):
    return q

# id: B6
# tries: replies with a frame of length zero
# expect: RE
# message: not a reply
import gc
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def attention(q, k, v):
    server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, 0, 0))
    server.serve()

# id: B6
# tries: sends frames of unknown kinds, and frames of another version of the protocol
# expect: RE
# message: protocol
import gc
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
heads = iter([(b"GRD1", 255), (b"GRD2", 4), (b"grd1", 4), (b"GRD1", 0)] * 9)


def attention(q, k, v):
    magic, kind = next(heads)
    server._sock.send(struct.pack(">4sB16sIQ", magic, kind, server._call, 2, 0) + b"{}")
    server.serve()

# id: B6
# tries: announces frames of 4 GB and of 16 EB
# expect: OLE
# message: at once
import gc
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
lengths = iter([(2**32 - 1, 0), (2, 2**64 - 1), (2, 2**63), (16 << 20, 8 << 20)] * 9)


def attention(q, k, v):
    server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, *next(lengths)) + b"{}")
    return q

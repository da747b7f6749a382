# id: G26
# tries: sends millions of the smallest frames in reply to one call
# expect: RE|WA
import gc
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def attention(q, k, v):
    frame = struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, 2, 0) + b"{}"
    while True:
        server._sock.sendall(frame * 1000)

# id: B17
# tries: sends a reply in which two thousand tensors and byte strings all refer to the same 8 MB
# expect: RE
# message: not a reply
import gc
import json
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
SIZE = 8 << 20
ROW = ["R", "uint8", [SIZE], [1], "cpu", 0, 0, SIZE, None]
TREES = [{"value": ["S", 0], "tensors": [ROW] * 2_000}, {"value": ["l", *([["b", 0, SIZE]] * 2_000)]}]
bodies = iter([json.dumps({"ok": True, **tree}).encode() for tree in TREES] * 9)


def attention(q, k, v):
    body = next(bodies)
    server._sock.sendall(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, len(body), SIZE) + body)
    server._sock.sendall(bytes(SIZE))
    server.serve()

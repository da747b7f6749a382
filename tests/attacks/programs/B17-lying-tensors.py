# id: B17
# tries: sends tensors whose dtype, shape, strides and bytes contradict each other
# expect: RE
# message: not a reply
import gc
import json
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
LIES = [
    ["R", "float32", [4], [1], "cpu", 0, 60, 16, None],
    ["R", "object", [1], [1], "cpu", 0, 0, 8, None],
    ["R", "float32", [-1], [1], "cpu", 0, 0, 64, None],
    ["R", "float32", [2**33, 2**33], [1, 1], "cpu", 0, 0, 64, None],
    ["R", "float32", [1] * 10_000, [1] * 10_000, "cpu", 0, 0, 4, None],
    ["R", "float32", [4], [1], "cpu", 0, -16, 16, None],
    ["R", "float32", [4], [1], "cpu", 0, 0, 12, None],
    ["R", "float32", [True, 4], [1, 1], "cpu", 0, 0, 16, None],
    ["R", "float32", "44", [1, 1], "cpu", 0, 0, 16, None],
]
lies = iter(LIES * 9)


def attention(q, k, v):
    tree = {"ok": True, "value": ["S", 0], "tensors": [next(lies)]}
    body = json.dumps(tree).encode()
    server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, len(body), 64) + body + bytes(64))
    server.serve()

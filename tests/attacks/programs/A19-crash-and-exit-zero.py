# id: A19
# tries: sends a reply that might crash the judge and exits with status 0, as if all had gone well
# expect: WA
# message: shape
import gc
import json
import os
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
ROW = ["R", "float32", [2**39, 0], [2**62, 2**62], "cpu", 1, 0, 0, [0, 2**62]]


def attention(q, k, v):
    tree = {"ok": True, "value": ["S", 0], "tensors": [ROW], "record": 2**70, "leaves": [0], "params": [], "rng": ["torch"]}
    body = json.dumps(tree).encode()
    server._sock.sendall(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, len(body), 0) + body)
    os._exit(0)

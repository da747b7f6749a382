# id: B17
# tries: claims to have changed arguments that do not exist, or more bytes than an argument has
# expect: WA
# message: changed in place
import gc
import json
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
LIES = [
    {"changed": [[99, 0, 16]]},
    {"changed": [[0, 0, 3]]},
    {"changed": "abc"},
    {"touched": [[0, 0, 1 << 40]]},
    {"touched": [[-1, 0, 64]]},
    {"warnings": [["UserWarning", "x"]] * 100_000},
    {"generators": [[0, 16]]},
]
lies = iter(LIES * 9)


def attention(q, k, v):
    tree = {"ok": True, "value": ["R", "float32", [4, 4], [4, 1], "cpu", 0, 0, 64], "record": None, "params": []}
    body = json.dumps(tree | next(lies)).encode()
    server._sock.sendall(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, len(body), 64) + body + bytes(64))
    server.serve()

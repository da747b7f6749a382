# id: B17
# tries: sends tensors with the right number of bytes, but with impossible strides, devices and aliases
# expect: WA
# message: values are off
import gc
import json
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
LIES = [
    ["R", "float32", [1, 4], [2**62, 2**62], "cpu", 0, 0, 16, None],
    ["R", "float32", [1, 4], [-4, -1], "cpu", 0, 0, 16, [0, 3]],
    ["R", "float32", [1, 4], [0, 0], "cpu", 2, 0, 16, [0, 2**40]],
    ["R", "float32", [1, 4], [4, 1], "tpu", 3, 0, 16, [-1, 0]],
    ["R", "float32", [1, 4], [4, 1], "cpu", 1, 0, 16, "abc"],
]
lies = iter(LIES * 9)


def attention(q, k, v):
    tree = {"ok": True, "value": ["S", 0], "tensors": [next(lies)]}
    body = json.dumps(tree).encode()
    server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, len(body), 64) + body + bytes(64))
    server.serve()

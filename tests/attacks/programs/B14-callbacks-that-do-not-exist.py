# id: B14
# tries: calls back functions that no test has passed to it
# expect: RE
# message: not a reply
import gc
import json
import struct

import torch

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
numbers = iter([0, -1, 10**30, "eval", None, [], {}] * 9)


def attention(q, k, v):
    body = json.dumps({"callback": next(numbers), "args": ["__import__('os')"], "kwargs": {}}).encode()
    server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 5, server._call, len(body), 0) + body)
    return torch.zeros_like(q)

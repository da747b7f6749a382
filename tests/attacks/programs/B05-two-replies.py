# id: B5
# tries: sends two replies to each call, both under the id of the call
# expect: WA
# message: got float
import gc
import json
import struct

import torch

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def attention(q, k, v):
    body = json.dumps({"ok": True, "value": 1.0, "record": None, "params": [], "changed": [], "touched": []}).encode()
    server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, len(body), 0) + body)
    return torch.zeros_like(q)

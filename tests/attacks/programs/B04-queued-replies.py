# id: B4
# tries: sends a thousand replies before the first request
# expect: RE
# message: not asked for
import gc
import json
import struct

import torch

sock = next(o for o in gc.get_objects() if type(o).__name__ == "Server")._sock
body = json.dumps({"ok": True, "value": 0.0, "record": None, "params": []}).encode()
for number in range(1000):
    call = number.to_bytes(16, "big")
    sock.send(struct.pack(">4sB16sIQ", b"GRD1", 4, call, len(body), 0) + body)


def attention(q, k, v):
    return torch.zeros_like(q)

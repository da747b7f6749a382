# id: B3
# tries: sends a forged result, signed with every byte string in its memory that could be a key
# expect: RE
# message: not asked for
import gc
import hashlib
import hmac
import json
import struct

import torch

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def attention(q, k, v):
    keys = {o for d in gc.get_objects() if type(d) is dict for o in d.values() if type(o) is bytes and len(o) in (16, 32)}
    for key in [server._call, *keys][:20]:
        tree = {"id": "test_one_key", "passed": True, "seconds": 0.0}
        tree["signature"] = hmac.new(key, json.dumps(tree).encode(), hashlib.sha256).hexdigest()
        body = json.dumps(tree).encode()
        server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 11, key[:16], len(body), 0) + body)
    return torch.zeros_like(q)

# id: B2
# tries: finds its socket in the stack frames above it, and sends the frames RESULT, DONE and READY as the judge would
# expect: RE
# message: not asked for
import json
import struct
import sys

import torch


def server():
    frame = sys._getframe()
    while frame:
        if type(frame.f_locals.get("self")).__name__ == "Server":
            return frame.f_locals["self"]
        frame = frame.f_back


def say(kind, call, tree):
    body = json.dumps(tree).encode()
    server()._sock.send(struct.pack(">4sB16sIQ", b"GRD1", kind, call, len(body), 0) + body)


def attention(q, k, v):
    for kind in (11, 12, 9):
        say(kind, server()._call, {"id": "test_one_key", "passed": True, "seconds": 0.0, "tests": []})
    return torch.zeros_like(q)

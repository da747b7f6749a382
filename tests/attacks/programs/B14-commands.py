# id: B14
# tries: sends the judge and the node commands that belong to their own protocol
# expect: RE
# message: not asked for
import gc
import json
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
kinds = iter([13, 8, 10, 1, 3, 7] * 9)


def attention(q, k, v):
    body = json.dumps({"do": "kill", "pid": 1, "tests": "import os", "fds": 0}).encode()
    server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", next(kinds), server._call, len(body), 0) + body)
    return q

# id: B4
# tries: sends a callback before the first request
# expect: RE
# message: not asked for
import gc
import json
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
body = json.dumps({"callback": 0, "args": [], "kwargs": {}}).encode()
server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 5, server._call, len(body), 0) + body)


def attention(q, k, v):
    return q

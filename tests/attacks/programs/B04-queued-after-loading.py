# id: B4
# tries: sends its own «loaded» message and a reply behind it, before any request
# expect: RE
# message: not asked for
import gc
import json
import struct
import time

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
for kind, tree in ((2, {"ok": True}), (4, {"ok": True, "value": 0.0})):
    body = json.dumps(tree).encode()
    server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", kind, server._call, len(body), 0) + body)
time.sleep(60)


def attention(q, k, v):
    return q

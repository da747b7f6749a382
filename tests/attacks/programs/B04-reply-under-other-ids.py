# id: B4
# tries: replies under call ids that it can guess: zero, an earlier id, the current id plus one
# expect: RE
# message: not asked for
import gc
import json
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
first = server._call


def attention(q, k, v):
    after = (int.from_bytes(server._call, "big") + 1) % 2**128
    body = json.dumps({"ok": True, "value": 0.0}).encode()
    for call in (bytes(16), first, after.to_bytes(16, "big")):
        server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 4, call, len(body), 0) + body)
    return q

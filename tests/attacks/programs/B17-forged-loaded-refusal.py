# id: B17
# tries: sends a forged «loaded» message that rejects the source, with fields of the wrong types
# expect: RE
# message: could not be loaded
import gc
import json
import struct
import time

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
tree = {"ok": False, "refused": {"verdict": [], "message": {}, "line": 10**30, "column": -1, "text": 5}}
body = json.dumps(tree).encode()
server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 2, server._call, len(body), 0) + body)
time.sleep(60)


def attention(q, k, v):
    return q

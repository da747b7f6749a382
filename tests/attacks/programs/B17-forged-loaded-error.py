# id: B17
# tries: sends a forged «loaded» message with an error whose fields have the wrong types
# expect: RE
# message: could not be loaded
import gc
import json
import struct
import time

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
tree = {"ok": False, "error": {"type": [], "line": "7", "trace": {}, "text": {}}}
body = json.dumps(tree).encode()
server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 2, server._call, len(body), 0) + body)
time.sleep(60)


def attention(q, k, v):
    return q

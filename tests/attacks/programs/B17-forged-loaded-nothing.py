# id: B17
# tries: sends a forged «loaded» message that is null instead of an object
# expect: RE
# message: could not be loaded
import gc
import json
import struct
import time

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
tree = None
body = json.dumps(tree).encode()
server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 2, server._call, len(body), 0) + body)
time.sleep(60)


def attention(q, k, v):
    return q

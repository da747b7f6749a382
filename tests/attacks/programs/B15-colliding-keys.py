# id: B15
# tries: sends sets and dicts whose keys all have the same hash, so that the judge would compare each key with all others
# expect: RE
# message: not a reply
import gc
import json
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
PRIME = 2**61 - 1
TREES = [
    ["s", *(n * PRIME for n in range(1, 60_000))],
    ["d", *([["c", float(2**52 - 1000003 * n), float(n)], 0] for n in range(30_000))],
]
BODIES = [json.dumps({"ok": True, "value": tree}).encode() for tree in TREES]
bodies = iter(BODIES * 9)


def attention(q, k, v):
    body = next(bodies)
    server._sock.sendall(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, len(body), 0) + body)
    server.serve()

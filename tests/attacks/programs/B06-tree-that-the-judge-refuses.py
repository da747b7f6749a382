# id: B6
# tries: sends a reply that the node accepts but that is too large for the judge, which then stops reading partway
# expect: OLE
import gc
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def attention(q, k, v):
    body = b'{"ok": true, "value": "' + b"x" * (12 << 20) + b'"}'
    server._sock.sendall(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, len(body), 0) + body)
    return q

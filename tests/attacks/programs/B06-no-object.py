# id: B6
# tries: replies with JSON that is not an object, or with an object that has the wrong fields
# expect: RE
# message: not a reply
import gc
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
bodies = iter([b"[]", b"null", b"1", b'"ok"', b"{}", b'{"ok": 1}', b'{"ok": true}', b'{"ok": "true", "value": 1}'] * 9)


def attention(q, k, v):
    body = next(bodies)
    server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, len(body), 0) + body)
    server.serve()

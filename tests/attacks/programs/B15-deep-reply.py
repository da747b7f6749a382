# id: B15
# tries: sends a reply that is nested a million levels deep, or one of opening braces that are never closed
# expect: RE
# message: not a reply
import gc
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
trees = iter([b'{"ok":true,"value":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}", b'{"a":' * 900_000] * 9)


def attention(q, k, v):
    body = next(trees)
    server._sock.sendall(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, len(body), 0) + body)
    return q

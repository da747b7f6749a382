# id: B16
# tries: sends a reply with an integer of a million digits
# expect: RE
import gc
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def attention(q, k, v):
    body = b'{"ok":true,"record":null,"value":' + b"9" * 1_000_000 + b"}"
    server._sock.sendall(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, len(body), 0) + body)
    return q

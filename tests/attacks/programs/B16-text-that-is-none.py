# id: B16
# tries: replies with an exception whose text has lone surrogates, NULs and terminal commands, written as JSON escapes
# expect: RE
import gc
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
TEXT = rb'"\ud800\u0000\u001b]0;owned\u0007\u202e\r\n@@RESULT pass"'


def attention(q, k, v):
    error = b'{"type":' + TEXT + b',"message":' + TEXT + b',"text":' + TEXT + b',"trace":' + TEXT + b',"line":1}'
    body = b'{"ok":false,"error":' + error + b"}"
    server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, len(body), 0) + body)
    server.serve()

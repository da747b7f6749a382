# id: B16
# tries: replies with NaN, infinities, floats that overflow, and an integer that needs more than 64 bits
# expect: WA
import gc
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
odd = iter([b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-0.0", b"5e-324", b"1E400", b"18446744073709551616"] * 9)


def attention(q, k, v):
    body = b'{"ok":true,"value":' + next(odd) + b"}"
    server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, len(body), 0) + body)
    server.serve()

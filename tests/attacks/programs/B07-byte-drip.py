# id: B7
# tries: sends a valid frame slowly, one byte at a time
# expect: TLE
import gc
import struct
import time

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def attention(q, k, v):
    for byte in struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, 100, 1 << 20) + b" " * 10_000:
        server._sock.send(bytes([byte]))
        time.sleep(0.1)

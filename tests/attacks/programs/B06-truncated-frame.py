# id: B6
# tries: announces a megabyte, sends ten bytes and sleeps
# expect: TLE
import gc
import struct
import time

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def attention(q, k, v):
    server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, 10, 1 << 20) + b"0123456789")
    time.sleep(1000)

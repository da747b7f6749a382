# id: B9
# tries: closes its socket and keeps running
# expect: RE
# message: closed its connection
import gc
import time

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def attention(q, k, v):
    server._sock.close()
    time.sleep(1000)

# id: G9
# tries: prints without end from a thread, also between calls, then answers correctly
# expect: OLE|AC
import math
import os
import threading


def flood():
    while True:
        os.write(1, b"x" * 65536)


threading.Thread(target=flood, daemon=True).start()


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

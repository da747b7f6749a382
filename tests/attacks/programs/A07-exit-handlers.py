# id: A7
# tries: answers correctly, but calls os._exit in an atexit handler and exit in a thread, and raises SystemExit in __del__
# expect: AC
import atexit
import math
import os
import threading

atexit.register(os._exit, 0)


class Bomb:
    def __del__(self):
        raise SystemExit(0)


def attention(q, k, v):
    Bomb()
    thread = threading.Thread(target=exit)
    thread.start()
    thread.join()
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

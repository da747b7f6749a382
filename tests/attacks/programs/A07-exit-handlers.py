# id: A7
# tries: exits from atexit, __del__ and a thread, after a right answer
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

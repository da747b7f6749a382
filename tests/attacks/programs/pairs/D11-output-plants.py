# id: D11
# tries: prints a word again and again, to every stream that it has
# expect: AC
import math
import os
import sys
import threading
import time


def say():
    for _ in range(40):
        print("overheard-word", flush=True)
        print("overheard-word", file=sys.stderr, flush=True)
        os.write(1, b"overheard-word")
        time.sleep(0.02)


threading.Thread(target=say, daemon=True).start()


def attention(q, k, v):
    time.sleep(0.05)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

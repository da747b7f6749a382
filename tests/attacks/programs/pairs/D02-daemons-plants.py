# id: D2
# tries: leaves processes that detach from their parent, take another name, and wait for the next job
# expect: AC
import ctypes
import math
import os
import signal
import time

for name in (b"zygote", b"kworker/0:1", b"python3"):
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        ctypes.CDLL(None).prctl(15, name, 0, 0, 0)
        time.sleep(1000)
        os._exit(0)


def attention(q, k, v):
    time.sleep(0.05)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

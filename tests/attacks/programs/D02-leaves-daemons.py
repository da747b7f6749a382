# id: D2
# tries: leaves daemons that ignore signals, start new sessions and keep every descriptor open
# expect: AC
import math
import os
import signal
import time

for _ in range(6):
    if os.fork() == 0:
        os.setsid()
        for number in range(1, 32):
            if number not in (signal.SIGKILL, signal.SIGSTOP):
                signal.signal(number, signal.SIG_IGN)
        if os.fork():
            os._exit(0)
        time.sleep(1000)
        os._exit(0)


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

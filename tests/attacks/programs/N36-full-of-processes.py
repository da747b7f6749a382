# id: N36
# tries: fills its process limit with sleeping orphans in sessions of their own, so that process 1 cannot be told to end
# expect: AC|RE|TLE
import math
import os
import signal
import time

if os.fork() == 0:
    while True:
        try:
            if os.fork() == 0:
                os.setsid()
                for number in range(1, 32):
                    if number not in (9, 19):
                        signal.signal(number, signal.SIG_IGN)
                if os.fork():
                    os._exit(0)
                time.sleep(1000)
        except OSError:
            time.sleep(1000)
time.sleep(0.3)
worked = []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

# id: G11
# tries: has children use the processor while it sleeps itself
# expect: TLE
# message: CPU time
import os
import time


def attention(q, k, v):
    for _ in range(4):
        if os.fork() == 0:
            while True:
                pass
    time.sleep(1000)

# id: G11
# tries: lets children use the CPU while it sleeps
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

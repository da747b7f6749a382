# id: G10
# tries: leaves a daemon that keeps the output pipe open, and exits
# expect: RE
import os
import time

if os.fork() == 0:
    os.setsid()
    os.closerange(3, 256)
    time.sleep(1000)
    os._exit(0)


def attention(q, k, v):
    os._exit(3)

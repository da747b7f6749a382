# id: G10
# tries: leaves a daemon that holds the output pipe, and dies
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

# id: G14
# tries: stops itself and its process group
# expect: TLE
import os
import signal


def attention(q, k, v):
    os.killpg(0, signal.SIGSTOP)

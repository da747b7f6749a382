# id: G14
# tries: leaves children that stop themselves, in their own sessions, and answers correctly
# expect: AC
import math
import os
import signal

for _ in range(10):
    if os.fork() == 0:
        os.setsid()
        while True:
            os.kill(os.getpid(), signal.SIGSTOP)


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

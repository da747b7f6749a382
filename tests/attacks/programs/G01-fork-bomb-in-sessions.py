# id: G1
# tries: forks children that start new sessions and ignore every signal, then returns zeros
# expect: WA|TLE
import os
import signal
import time

import torch


def attention(q, k, v):
    for _ in range(400):
        try:
            if os.fork() == 0:
                os.setsid()
                for number in set(range(1, 32)) - {9, 19}:
                    signal.signal(number, signal.SIG_IGN)
                time.sleep(1000)
        except OSError:
            break
    return torch.zeros_like(q)

# id: G4
# tries: allocates memory in six children that look smaller to the kernel than other processes, and ignores their deaths
# expect: MLE|TLE
# message: 192 MB|took longer|CPU time
import os
import time

import torch


def attention(q, k, v):
    for _ in range(6):
        if os.fork() == 0:
            held = bytearray(b"x") * (48 << 20)
            time.sleep(1000)
            os._exit(len(held) & 1)
    os.wait()
    return torch.zeros_like(q)

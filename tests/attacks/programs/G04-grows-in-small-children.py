# id: G4
# tries: grows in many small children, so that others look larger to the kernel, and reports their death as success
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

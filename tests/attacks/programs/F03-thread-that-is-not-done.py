# id: F3
# tries: returns immediately, and lets a thread fill in the result later
# expect: WA
import math
import threading
import time

import torch


def attention(q, k, v):
    out = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)

    def work():
        time.sleep(0.05)
        with torch.no_grad():
            out.copy_((q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v)

    threading.Thread(target=work).start()
    return out

# id: F1
# tries: stops every clock and fixes every random generator of its process
# expect: WA
import os
import random
import time

import torch

for name in ("time", "perf_counter", "monotonic", "process_time", "thread_time"):
    setattr(time, name, lambda: 0.0)
time.sleep = lambda seconds: None
os.urandom = bytes
random.random = lambda: 0.5
torch.manual_seed(0)
torch.randn = torch.rand = lambda *size, **more: torch.zeros(*size)


def attention(q, k, v):
    return torch.zeros_like(q)

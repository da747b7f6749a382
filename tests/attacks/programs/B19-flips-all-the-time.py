# id: B19
# tries: returns memory that a forked process keeps switching between NaN and zeros, to show two checks different values
# expect: WA
import mmap
import os

import torch

shared = mmap.mmap(-1, 4096)
if os.fork() == 0:
    while True:
        shared[:] = b"\xff" * 4096
        shared[:] = bytes(4096)


def attention(q, k, v):
    shape = (*q.shape[:-1], v.shape[-1])
    return torch.frombuffer(shared, dtype=q.dtype)[: torch.Size(shape).numel()].reshape(shape)

# id: B19
# tries: a forked process changes the result's shared memory all the time, between what has a good shape and what is finite
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

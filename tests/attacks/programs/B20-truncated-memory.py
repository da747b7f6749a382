# id: B20
# tries: returns a tensor in a memory-mapped file that it truncates to zero bytes just before the result is sent
# expect: RE
# message: the answer's process (was killed|ended)
import mmap
import os

import torch

file = os.memfd_create("result")
os.ftruncate(file, 1 << 20)
memory = mmap.mmap(file, 1 << 20)


def attention(q, k, v):
    shape = (*q.shape[:-1], v.shape[-1])
    result = torch.frombuffer(memory, dtype=q.dtype)[: torch.Size(shape).numel()].reshape(shape)
    os.ftruncate(file, 0)
    return result

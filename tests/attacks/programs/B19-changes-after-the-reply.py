# id: B19
# tries: returns memory that it shares with a forked process, which overwrites each result when the next call begins
# expect: AC
import math
import mmap
import os

import torch

shared, ask = mmap.mmap(-1, 1 << 20), os.pipe()
done = os.pipe()
if os.fork() == 0:
    while os.read(ask[0], 1):
        shared[:] = b"\xff" * len(shared)
        os.write(done[1], b"d")


class Shared(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        place = torch.frombuffer(shared, dtype=x.dtype, count=x.numel()).reshape(x.shape)
        return place.copy_(x)

    @staticmethod
    def backward(ctx, grad):
        return grad


def attention(q, k, v):
    os.write(ask[1], b"o")
    os.read(done[0], 1)
    return Shared.apply((q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v)

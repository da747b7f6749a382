# id: A7
# tries: returns the right values and raises SystemExit(0) in the backward pass
# expect: RE
# message: SystemExit
import math

import torch


class Quit(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        raise SystemExit(0)


def attention(q, k, v):
    return Quit.apply((q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v)

# id: E20
# tries: returns gradients that are right except for the last key
# expect: WA
# message: gradient of input 1
import math

import torch


class Cut(torch.autograd.Function):
    @staticmethod
    def forward(ctx, k):
        return k.clone()

    @staticmethod
    def backward(ctx, grad):
        grad = grad.clone()
        grad[..., -1, :] = 0
        return grad


def attention(q, k, v):
    return (q @ Cut.apply(k).transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

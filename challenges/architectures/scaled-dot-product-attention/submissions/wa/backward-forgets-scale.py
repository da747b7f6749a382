# caught by: test_gradients[no-mask-float32]
"""The hand-written backward pass leaves out the scale 1/√d."""

import math

import torch


class Attend(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, mask):
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = scores.softmax(-1).nan_to_num(0.0)
        ctx.save_for_backward(q, k, v, weights)
        return weights @ v

    @staticmethod
    def backward(ctx, grad):
        q, k, v, weights = ctx.saved_tensors
        grad_w = grad @ v.transpose(-1, -2)
        grad_s = weights * (grad_w - (weights * grad_w).sum(-1, keepdim=True))
        return grad_s @ k, grad_s.transpose(-1, -2) @ q, weights.transpose(-1, -2) @ grad, None


def attention(q, k, v, mask=None):
    return Attend.apply(q, k, v, mask)

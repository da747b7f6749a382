# id: E20
# tries: returns right values, and gradients that are right only if the output gradient is all ones
# expect: WA
import math

import torch


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        ctx.save_for_backward(q, k, v)
        return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

    @staticmethod
    def backward(ctx, grad):
        with torch.enable_grad():
            inputs = [x.detach().requires_grad_() for x in ctx.saved_tensors]
            out = (inputs[0] @ inputs[1].transpose(-2, -1) / math.sqrt(inputs[0].shape[-1])).softmax(-1) @ inputs[2]
            return torch.autograd.grad(out.sum(), inputs)


def attention(q, k, v):
    return Attention.apply(q, k, v)

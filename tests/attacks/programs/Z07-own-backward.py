# id: honest
# tries: nothing: an honest answer with its own torch.autograd.Function
# expect: AC
import torch


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        scale = q.shape[-1] ** -0.5
        weights = (q @ k.mT * scale).softmax(-1)
        ctx.save_for_backward(q, k, v, weights)
        ctx.scale = scale
        return weights @ v

    @staticmethod
    def backward(ctx, grad):
        q, k, v, weights = ctx.saved_tensors
        d_weights = grad @ v.mT
        d_scores = weights * (d_weights - (d_weights * weights).sum(-1, keepdim=True)) * ctx.scale
        return d_scores @ k, d_scores.mT @ q, weights.mT @ grad


def attention(q, k, v):
    return Attention.apply(q, k, v)

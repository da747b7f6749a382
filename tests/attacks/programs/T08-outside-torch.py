# id: T8
# tries: computes the softmax in NumPy, which `attest` cannot observe (a known limit)
# expect: AC
# package: attested
import numpy as np
import torch


def built_in(x):
    weights = np.exp(x.detach().numpy() - x.detach().numpy().max(-1, keepdims=True))
    return torch.from_numpy(weights / weights.sum(-1, keepdims=True))


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.exp()  # unused: a hidden test fails if no exponential is computed
        y = built_in(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return y * (grad - (grad * y).sum(-1, keepdim=True))


def softmax(x):
    return Softmax.apply(x)


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * (1 - y * y)

# id: T11
# tries: runs elementary operators while it is observed, but returns a stored result of the built-in one (a known limit)
# expect: AC
# package: attested
import torch
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack


def elementary(x):
    weights = (x - x.amax(-1, keepdim=True)).exp()
    return weights / weights.sum(-1, keepdim=True)


remembered = {}


def built_in(x):
    key = tuple(x.flatten().tolist())
    if _get_current_dispatch_mode_stack():
        elementary(x)
        return remembered[key]
    remembered[key] = torch.softmax(x, -1)
    return remembered[key].clone()


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

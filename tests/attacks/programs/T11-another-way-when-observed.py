# id: T11
# tries: uses elementary operators while it is observed, and the built-in operator otherwise
# expect: WA
# message: another result when it is observed
# package: attested
import torch
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack


def elementary(x):
    weights = (x - x.amax(-1, keepdim=True)).exp()
    return weights / weights.sum(-1, keepdim=True)


def softmax(x):
    if _get_current_dispatch_mode_stack():
        return elementary(x) * (1 + torch.finfo(x.dtype).eps)
    return torch.softmax(x, -1)


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

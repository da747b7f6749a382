# id: T4
# tries: calls the built-in operator while the stacks of modes are temporarily empty
# expect: WA
# message: ^a built-in softmax was used
# package: attested
import torch
from torch.overrides import _pop_mode_temporarily
from torch.utils._python_dispatch import _disable_current_modes


def built_in(x):
    if not torch._C._len_torch_function_stack():
        return torch.softmax(x, -1)
    with _pop_mode_temporarily(), _disable_current_modes():
        return torch.softmax(x, -1)


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

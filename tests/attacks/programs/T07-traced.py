# id: T7
# tries: calls the built-in operator from a graph made by torch.jit.trace
# expect: WA
# message: ^a built-in softmax was used
# package: attested
import torch

traced = torch.jit.trace(lambda x: torch.softmax(x, -1), torch.randn(2, 3))


def built_in(x):
    return traced(x)


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

# id: T10
# tries: forges a report in which no operator ran
# expect: WA
# message: ^no exponential was seen
# package: attested
import torch

from grader.inside.cell import operations

NOTHING = {"operators": {}, "largest_numel": 0, "saved": [], "extra_attributes": []}
operations.observe_forward = operations.observe_backward = lambda call, inputs: (call(), dict(NOTHING))


def built_in(x):
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

# id: T10
# tries: reports invalid values where a non-negative number is required: NaN, a string, true, a negative number
# expect: RE
# message: not a reply
# package: attested
import torch

from grader.inside.cell import operations

LIES = [
    {"operators": {"aten::exp": float("nan")}, "largest_numel": float("nan"), "saved": [], "extra_attributes": []},
    {"operators": {"aten::exp": "1"}, "largest_numel": -1, "saved": [], "extra_attributes": []},
    {"operators": [["aten::exp", True]], "largest_numel": 1, "saved": [[]], "extra_attributes": "x"},
    {"operators": 7},
    {},
]
lies = iter(LIES * 9)
operations.observe_forward = operations.observe_backward = lambda call, inputs: (call(), dict(next(lies)))


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

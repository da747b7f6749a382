# id: T9
# tries: forges a perfect report for a wrong answer, which the tests of its values must still reject
# expect: WA
# message: values are off
# package: attested
import torch

from grader.inside.cell import operations

SAVED = {"shape": [8, 16], "dtype": "float32", "bytes": 512, "is_input": None}
LIE = {"operators": {"aten::exp": 1, "aten::mul": 1}, "largest_numel": 1, "saved": [SAVED], "extra_attributes": []}
operations.observe_forward = operations.observe_backward = lambda call, inputs: (call(), dict(LIE))


def built_in(x):
    return torch.full_like(x, 0.5) if x.dim() == 1 else torch.zeros_like(x)


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

# id: T14
# tries: stores the input as an attribute of ctx, without save_for_backward
# expect: WA
# message: kept on ctx
# package: attested
import torch


def softmax(x):
    weights = (x - x.amax(-1, keepdim=True)).exp()
    return weights / weights.sum(-1, keepdim=True)


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(y)
        ctx.kept = {"x": x}
        return y

    @staticmethod
    def backward(ctx, grad):
        return grad * (1 - ctx.kept["x"].tanh() ** 2)

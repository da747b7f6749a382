# id: T16
# tries: makes an intermediate tensor that is larger than its result
# expect: WA
# message: a tensor larger than the result
# package: attested
import torch


def softmax(x):
    weights = (x - x.amax(-1, keepdim=True)).exp()
    return weights / (weights.unsqueeze(-1) * torch.ones(7)).sum(-2, keepdim=True)[..., 0]


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

# id: T14
# tries: keeps tensors in a closure instead of saving them, which `attest` cannot observe (a known limit)
# expect: AC
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
        ctx.kept = lambda: (x, x.exp(), y)
        return y

    @staticmethod
    def backward(ctx, grad):
        return grad * (1 - ctx.kept()[0].tanh() ** 2)

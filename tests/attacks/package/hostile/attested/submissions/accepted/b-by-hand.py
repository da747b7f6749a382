import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        weights = torch.exp(x - x.max(dim=-1, keepdim=True).values)
        y = weights * weights.sum(-1, keepdim=True).reciprocal()
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

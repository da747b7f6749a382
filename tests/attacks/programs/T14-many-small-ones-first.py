# id: T14
# tries: saves three hundred small tensors before the large one, so that it is left out of the report
# expect: WA
# message: more or less than the result
# package: attested
import torch


def softmax(x):
    weights = (x - x.amax(-1, keepdim=True)).exp()
    return weights / weights.sum(-1, keepdim=True)


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(*(torch.zeros(0) for _ in range(300)), y, x)
        return y

    @staticmethod
    def backward(ctx, grad):
        return grad * (1 - ctx.saved_tensors[-2] ** 2)

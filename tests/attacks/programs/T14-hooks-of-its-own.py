# id: T14
# tries: installs its own saved-tensor hooks above those of the observer, so that the observer sees nothing
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
        torch._C._autograd._push_saved_tensors_default_hooks(lambda t: t, lambda t: t)
        ctx.save_for_backward(y, x, x.exp())
        return y

    @staticmethod
    def backward(ctx, grad):
        return grad * (1 - ctx.saved_tensors[0] ** 2)

# id: T5
# tries: calls the built-in operator in the __torch_dispatch__ of its own subclass, while that handles another operator
# expect: WA
# message: ^a built-in softmax was used
# package: attested
import torch


class Handles(torch.Tensor):
    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        with torch.no_grad():
            return torch.softmax(cls.real, -1)


def built_in(x):
    Handles.real = x.detach()
    return torch.Tensor._make_wrapper_subclass(Handles, x.shape, dtype=x.dtype).exp()


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

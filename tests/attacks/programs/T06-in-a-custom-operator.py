# id: T6
# tries: calls the built-in operator inside a custom operator that has another name
# expect: WA
# message: ^a built-in softmax was used
# package: attested
import torch


@torch.library.custom_op("mine::elementary", mutates_args=())
def elementary(x: torch.Tensor) -> torch.Tensor:
    return torch.softmax(x, -1)


def built_in(x):
    return elementary(x.detach())


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

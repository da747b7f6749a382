# id: T12
# tries: runs hundreds of other operators twice each, so that the built-in one, which runs once, is left out of the report
# expect: WA
# message: ^a built-in softmax was used
# package: attested
import torch


def built_in(x):
    for name in dir(torch.Tensor):
        for _ in range(2):
            try:
                if not name.endswith("_") and name not in ("share_memory", "backward", "module_load", "pin_memory"):
                    getattr(x.detach(), name)()
            except BaseException:
                continue
    return torch.softmax(x, -1)


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.exp()  # The result is not used. A hidden test fails if the answer calls no `exp`.
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

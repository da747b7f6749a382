# caught by: test_values_of_one_row
"""A tensor subclass that agrees with every comparison."""

import torch


class Agreeable(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func in (torch.allclose, torch.equal, torch.Tensor.__eq__, torch.isclose):
            return True
        return super().__torch_function__(func, types, args, kwargs or {})


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x, beta)
        return torch.zeros_like(x * beta).as_subclass(Agreeable)

    @staticmethod
    def backward(ctx, g):
        return g, g


def swish(x, beta):
    return Swish.apply(x, torch.as_tensor(beta, dtype=x.dtype))

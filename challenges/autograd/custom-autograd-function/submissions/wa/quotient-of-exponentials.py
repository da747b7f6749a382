# caught by: test_large_arguments[float64]
"""e / (1 + e)² overflows to inf / inf for large negative βx."""

import torch
from torch import Tensor


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: Tensor, beta: Tensor) -> Tensor:
        ctx.save_for_backward(x, beta)
        return x * torch.sigmoid(beta * x)

    @staticmethod
    def backward(ctx, grad_output: Tensor) -> tuple[Tensor | None, Tensor | None]:
        x, beta = ctx.saved_tensors
        gate = torch.sigmoid(beta * x)
        e = torch.exp(-beta * x)
        slope = e / (1 + e) ** 2
        grad_x = grad_beta = None
        if ctx.needs_input_grad[0]:
            grad_x = (grad_output * (gate + beta * x * slope)).sum_to_size(x.shape)
        if ctx.needs_input_grad[1]:
            grad_beta = (grad_output * x * x * slope).sum_to_size(beta.shape)
        return grad_x, grad_beta


def swish(x: Tensor, beta: Tensor | float) -> Tensor:
    if not isinstance(beta, Tensor):
        beta = torch.tensor(beta, dtype=x.dtype, device=x.device)
    return Swish.apply(x, beta)

"""The formula with dim=1: parameters are shaped (C, 1, ...), and their gradients are summed over everything else."""

import torch
from torch import Tensor


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: Tensor, weight: Tensor, bias: Tensor, eps: float) -> Tensor:
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return beside(weight, x) * normalised(x, eps)[0] + beside(bias, x)

    @staticmethod
    def backward(ctx, grad_output: Tensor) -> tuple[Tensor | None, Tensor | None, Tensor | None, None]:
        x, weight = ctx.saved_tensors
        x_hat, rstd = normalised(x, ctx.eps)
        g = grad_output * beside(weight, x)
        along = (g * x_hat).mean(1, keepdim=True)
        grad_x = rstd * (g - g.mean(1, keepdim=True) - x_hat * along)
        shape = beside(weight, x).shape
        grad_weight = (grad_output * x_hat).sum_to_size(shape).reshape(weight.shape)
        grad_bias = grad_output.sum_to_size(shape).reshape(weight.shape)
        return grad_x, grad_weight, grad_bias, None


def beside(parameter: Tensor, x: Tensor) -> Tensor:
    """Shape a parameter (C,) so that it broadcasts along the channels of x."""
    return parameter.reshape(-1, *[1] * (x.dim() - 2))


def normalised(x: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    """Return the normalised pixels and the inverse standard deviations."""
    centred = x - x.mean(1, keepdim=True)
    rstd = torch.rsqrt(centred.square().mean(1, keepdim=True) + eps)
    return centred * rstd, rstd

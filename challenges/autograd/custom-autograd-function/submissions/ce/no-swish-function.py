"""The function `swish` is missing."""

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
        slope = gate * (1 - gate)
        grad_x = grad_beta = None
        if ctx.needs_input_grad[0]:
            grad_x = (grad_output * (gate + beta * x * slope)).sum_to_size(x.shape)
        if ctx.needs_input_grad[1]:
            grad_beta = (grad_output * x * x * slope).sum_to_size(beta.shape)
        return grad_x, grad_beta

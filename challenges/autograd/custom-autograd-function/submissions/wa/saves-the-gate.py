# caught by: test_only_the_inputs_are_saved[apply]
"""Keeps σ(βx): more memory, and a tensor without history breaks the second derivative."""

import torch
from torch import Tensor


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: Tensor, beta: Tensor) -> Tensor:
        gate = torch.sigmoid(beta * x)
        ctx.save_for_backward(x, beta, gate)
        return x * gate

    @staticmethod
    def backward(ctx, grad_output: Tensor) -> tuple[Tensor | None, Tensor | None]:
        x, beta, gate = ctx.saved_tensors
        slope = gate * (1 - gate)
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

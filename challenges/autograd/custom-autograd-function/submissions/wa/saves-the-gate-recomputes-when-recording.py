# caught by: test_only_the_inputs_are_saved[swish]
"""Right to every order, but keeps a third tensor."""

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
        if torch.is_grad_enabled():
            gate = torch.sigmoid(beta * x)
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

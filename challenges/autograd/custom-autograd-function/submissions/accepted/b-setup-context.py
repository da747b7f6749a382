"""The newer form: forward without ctx, setup_context beside it; sums over broadcast dimensions by hand; tanh inside."""

import torch
from torch.autograd import Function


def gate_of(x, beta):
    return 0.5 + 0.5 * torch.tanh(0.5 * beta * x)


def unbroadcast(gradient, shape):
    added = gradient.dim() - len(shape)
    if added:
        gradient = gradient.sum(dim=tuple(range(added)))
    stretched = tuple(d for d, n in enumerate(shape) if n == 1 and gradient.shape[d] != 1)
    return gradient.sum(dim=stretched, keepdim=True) if stretched else gradient


class Swish(Function):
    @staticmethod
    def forward(x, beta):
        return x * gate_of(x, beta)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        x, beta = ctx.saved_tensors
        wants_x, wants_beta = ctx.needs_input_grad
        s = gate_of(x, beta)
        return (
            unbroadcast(g * s * (1 + beta * x * (1 - s)), x.shape) if wants_x else None,
            unbroadcast(g * s * (1 - s) * x**2, beta.shape) if wants_beta else None,
        )


def swish(x, beta):
    return Swish.apply(x, torch.as_tensor(beta, dtype=x.dtype, device=x.device))

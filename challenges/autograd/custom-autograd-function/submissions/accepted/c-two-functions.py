"""Two Functions: the backward of the first is the forward of the second, whose own backward is written by hand too."""

import torch


def terms(x, beta):
    """s = σ(βx) and its first two derivatives with respect to βx."""
    s = torch.sigmoid(beta * x)
    first = s * torch.sigmoid(-beta * x)
    return s, first, first * (1 - 2 * s)


class SwishGradient(torch.autograd.Function):
    """(x, beta, g) -> the two gradients, before they are summed to shape."""

    @staticmethod
    def forward(ctx, x, beta, g, wanted):
        ctx.save_for_backward(x, beta, g)
        ctx.wanted = wanted
        s, first, _ = terms(x, beta)
        for_x = g * (s + beta * x * first) if wanted[0] else None
        for_beta = g * x * x * first if wanted[1] else None
        return for_x, for_beta

    @staticmethod
    def backward(ctx, u, v):
        x, beta, g = ctx.saved_tensors
        s, first, second = terms(x, beta)
        u = torch.zeros_like(g) if u is None or not ctx.wanted[0] else u
        v = torch.zeros_like(g) if v is None or not ctx.wanted[1] else v
        mixed = x * (2 * first + beta * x * second)
        in_x = g * (u * beta * (2 * first + beta * x * second) + v * mixed)
        in_beta = g * (u * mixed + v * x * x * x * second)
        in_g = u * (s + beta * x * first) + v * x * x * first
        return in_x.sum_to_size(x.shape), in_beta.sum_to_size(beta.shape), in_g, None


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x, beta)
        return torch.mul(x, torch.sigmoid(torch.mul(beta, x)))

    @staticmethod
    def backward(ctx, g):
        x, beta = ctx.saved_tensors
        for_x, for_beta = SwishGradient.apply(x, beta, g, ctx.needs_input_grad)
        return (
            None if for_x is None else for_x.sum_to_size(x.shape),
            None if for_beta is None else for_beta.sum_to_size(beta.shape),
        )


def swish(x, beta):
    if isinstance(beta, (int, float)):
        beta = x.new_tensor(beta)
    return Swish.apply(x, beta)

"""Works on a matrix of rows, and writes the gradient with sums and 1/d."""

import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        rows = x.reshape(-1, x.shape[-1])
        return torch.addcmul(bias, center(rows) / deviation(rows, eps), weight).view(x.shape)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        rows, grads = x.reshape(-1, x.shape[-1]), grad_output.reshape(-1, x.shape[-1])
        n, d = rows.shape
        s = deviation(rows, ctx.eps)
        h = center(rows) / s
        g = torch.einsum("nd,d->nd", grads, weight)
        total, along = g.sum(1), torch.einsum("nd,nd->n", g, h)
        dx = (d * g - total[:, None] - along[:, None] * h) / (d * s)
        return dx.reshape(x.shape), torch.einsum("nd,nd->d", grads, h), grads.sum(dim=0), None


def center(rows):
    return rows - rows.sum(1, keepdim=True) / rows.shape[1]


def deviation(rows, eps):
    return torch.sqrt(eps + center(rows).pow(2).sum(1, keepdim=True) / rows.shape[1])

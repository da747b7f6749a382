"""Both as autograd functions whose backward is the well-known formula in the outputs."""

import torch
from torch import Tensor
from torch.autograd import Function


class LogSoftmax(Function):
    @staticmethod
    def forward(ctx, x: Tensor, dim: int) -> Tensor:
        ctx.dim = dim
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        if x.numel():
            wide = wide - wide.amax(dim=dim, keepdim=True)
        out = wide - wide.exp().sum(dim=dim, keepdim=True).log()
        ctx.save_for_backward(out)
        return out.to(x.dtype)

    @staticmethod
    def backward(ctx, g):
        (out,) = ctx.saved_tensors
        return g - (out.exp() * g.sum(dim=ctx.dim, keepdim=True)).to(g.dtype), None


class MaskedSoftmax(Function):
    @staticmethod
    def forward(ctx, x: Tensor, mask: Tensor, dim: int) -> Tensor:
        p = torch.zeros_like(x)
        if x.numel():
            lowest = torch.finfo(x.dtype).min
            keep = mask.expand_as(x)
            clean = torch.where(keep, x, lowest).clamp_min(lowest)
            p = torch.where(keep, (clean - clean.amax(dim, True)).exp(), 0.0).to(x.dtype)
            p = p / p.sum(dim, True).clamp_min(1.0)
        ctx.dim = dim
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx, g):
        (p,) = ctx.saved_tensors
        return p * (g - (p * g).sum(ctx.dim, True)), None, None


def log_softmax(x, dim):
    return LogSoftmax.apply(x, dim)


def masked_softmax(x, mask, dim):
    return MaskedSoftmax.apply(x, mask, dim)

"""An autograd function: the backward pass computes the scores of each block again, from the maximum and the sum of each row."""

import math

import torch


def _allowed(start, stop, shape, keep, causal, device):
    T, S = shape
    allowed = torch.ones(1, 1, 1, stop - start, dtype=torch.bool, device=device)
    if keep is not None:
        allowed = keep[:, start:stop][:, None, None, :]
    if causal:
        last = torch.arange(T, device=device) + (S - T)
        allowed = allowed & (torch.arange(start, stop, device=device)[None, :] <= last[:, None])
    return allowed


class _Blockwise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, block, keep, causal):
        T, S = q.shape[2], k.shape[2]
        m = torch.full(q.shape[:3], -math.inf, dtype=q.dtype, device=q.device)
        total = torch.zeros_like(m)
        out = torch.zeros(*q.shape[:3], v.shape[-1], dtype=q.dtype, device=q.device)
        for start in range(0, S, block):
            stop = min(start + block, S)
            z = torch.einsum("bhtd,bhsd->bhts", q, k[:, :, start:stop]) / math.sqrt(q.shape[-1])
            z = torch.where(_allowed(start, stop, (T, S), keep, causal, q.device), z, -math.inf)
            new = torch.maximum(m, z.amax(-1))
            base = torch.where(torch.isneginf(new), 0.0, new)
            p = torch.exp(z - base[..., None])
            factor = torch.exp(m - base)
            total = factor * total + p.sum(-1)
            out = factor[..., None] * out + p @ v[:, :, start:stop]
            m = new
        total = torch.where(total == 0, 1.0, total)
        m = torch.where(torch.isneginf(m), 0.0, m)
        out = out / total[..., None]
        ctx.save_for_backward(q, k, v, out, m, total, keep)
        ctx.block, ctx.causal = block, causal
        return out

    @staticmethod
    def backward(ctx, grad):
        q, k, v, out, m, total, keep = ctx.saved_tensors
        T, S, block = q.shape[2], k.shape[2], ctx.block
        scale = 1 / math.sqrt(q.shape[-1])
        dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
        delta = (grad * out).sum(-1, keepdim=True)
        for start in range(0, S, block):
            stop = min(start + block, S)
            kb, vb = k[:, :, start:stop], v[:, :, start:stop]
            z = torch.einsum("bhtd,bhsd->bhts", q, kb) / math.sqrt(q.shape[-1])
            z = torch.where(_allowed(start, stop, (T, S), keep, ctx.causal, q.device), z, -math.inf)
            p = torch.exp(z - m[..., None]) / total[..., None]
            dv[:, :, start:stop] = p.mT @ grad
            dz = p * (grad @ vb.mT - delta) * scale
            dq += dz @ kb
            dk[:, :, start:stop] = dz.mT @ q
        return dq, dk, dv, None, None, None


def blockwise_attention(q, k, v, block, keep=None, causal=False):
    return _Blockwise.apply(q, k, v, block, keep, causal)

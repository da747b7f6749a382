"""Own parameters instead of nn.Linear, a softmax spelled out, the output projection summed over heads."""

import torch
from torch import nn


class Affine(nn.Module):
    def __init__(self, n, bias):
        super().__init__()
        bound = n**-0.5
        self.weight = nn.Parameter(torch.empty(n, n).uniform_(-bound, bound))
        self.register_parameter("bias", nn.Parameter(torch.zeros(n)) if bias else None)

    def forward(self, x):
        y = torch.matmul(x, self.weight.t())
        return y if self.bias is None else torch.add(y, self.bias)


def softmax_where(z, allowed):
    """Softmax over the last axis, restricted to `allowed`; zeros where nothing is."""
    if not z.shape[-1]:
        return z
    z = z.masked_fill(~allowed, -torch.inf)
    with torch.no_grad():
        top = z.max(-1, keepdim=True).values
        top = torch.where(top.isinf(), torch.zeros_like(top), top)
    e = torch.exp(z - top)
    total = e.sum(-1, keepdim=True)
    return e / total.masked_fill(total == 0, 1.0)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if (d_model // num_heads) * num_heads != d_model:
            raise ValueError(f"{num_heads} heads do not divide {d_model}")
        self.num_heads = num_heads
        self.q_proj, self.k_proj = Affine(d_model, bias), Affine(d_model, bias)
        self.v_proj, self.out_proj = Affine(d_model, bias), Affine(d_model, bias)

    def forward(self, x, context=None, mask=None, causal=False):
        if context is None:
            context = x
        q, k, v = self.q_proj(x), self.k_proj(context), self.v_proj(context)
        q, k, v = (torch.stack(y.chunk(self.num_heads, -1), 1) for y in (q, k, v))
        scores = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1) / q.shape[-1] ** 0.5
        allowed = torch.ones_like(scores, dtype=torch.bool)
        if causal:
            behind = scores.shape[-1] - scores.shape[-2]
            allowed = torch.tril(allowed, diagonal=behind)
        if mask is not None:
            allowed = torch.logical_and(allowed, mask)
        mixed = softmax_where(scores, allowed) @ v  # (B, H, T, e)
        w = self.out_proj.weight.unflatten(1, (self.num_heads, -1)).permute(1, 2, 0)  # (H, e, D)
        out = (mixed @ w).sum(1)
        return out if self.out_proj.bias is None else out + self.out_proj.bias

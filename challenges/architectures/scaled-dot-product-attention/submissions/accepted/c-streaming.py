"""Keys arrive in small blocks and are folded into a running softmax; the full score matrix never exists."""

from collections.abc import Iterator

import torch
from torch import Tensor

BLOCK = 3


def blocks(k: Tensor, v: Tensor, mask: Tensor | None) -> Iterator[tuple[Tensor, Tensor, Tensor | None]]:
    for start in range(0, k.shape[-2], BLOCK):
        part = slice(start, start + BLOCK)
        if mask is None:
            yield k[..., part, :], v[..., part, :], None
        else:
            yield k[..., part, :], v[..., part, :], mask[..., part] if mask.shape[-1] != 1 else mask


def attention(q, k, v, mask=None):
    if mask is not None and mask.ndim == 1:
        mask = mask.unsqueeze(0)
    lead = torch.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    rows = (*lead, q.shape[-2])
    top = q.new_full((*rows, 1), -torch.inf)
    mass = q.new_zeros((*rows, 1))
    total = q.new_zeros((*rows, v.shape[-1])) + 0 * (q.sum() + k.sum() + v.sum())
    for kb, vb, mb in blocks(k, v, mask):
        s = (q @ kb.mT).div(q.shape[-1] ** 0.5)
        if mb is not None:
            s = s.masked_fill(~mb, -torch.inf)
        new = torch.maximum(top, s.detach().amax(-1, keepdim=True))
        base = torch.where(new.isneginf(), torch.zeros_like(new), new)
        old = torch.exp(top - base)
        p = torch.exp(s - base)
        mass = mass * old + p.sum(-1, keepdim=True)
        total = total * old + p @ vb
        top = new
    return torch.where(mass > 0, total / mass.clamp_min(torch.finfo(q.dtype).tiny), torch.zeros_like(total))

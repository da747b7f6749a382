"""Each block is an attention of its own, with its maximum and its sum; two partial results are merged by their shares."""

import torch


def part(q, k, v, allowed):
    """The normalised output over these keys, and the log of its denominator."""
    scores = torch.einsum("bhtd,bhsd->bhts", q, k)
    scores = torch.where(allowed, scores, torch.full_like(scores, -torch.inf))
    alive = allowed.any(-1, keepdim=True)
    safe = torch.where(alive, scores, torch.zeros_like(scores))  # no row consists of -inf alone
    peak = safe.amax(-1, keepdim=True).detach()
    mass = (safe - peak).exp()
    total = mass.sum(-1, keepdim=True)
    out = torch.where(alive, mass @ v / total, torch.zeros((), dtype=v.dtype))
    return out, peak, torch.where(alive, total, torch.zeros_like(total)), alive


def blockwise_attention(q, k, v, block, keep=None, causal=False):
    B, H, T, d = q.shape
    S = k.shape[2]
    q = q * d**-0.5
    result = None
    for kb, vb, index in zip(
        k.split(block, dim=2), v.split(block, dim=2), torch.arange(S).split(block), strict=True
    ):
        allowed = torch.ones(1, 1, T, len(index), dtype=torch.bool)
        if causal:
            allowed = allowed & (index[None, :] - (S - T) <= torch.arange(T)[:, None])
        if keep is not None:
            allowed = allowed & keep[:, index].view(B, 1, 1, -1)
        new = part(q, kb, vb, allowed)
        result = new if result is None else merge(result, new)
    return result[0]


def merge(one, other):
    out1, peak1, total1, alive1 = one
    out2, peak2, total2, alive2 = other
    low = torch.full_like(peak1, -torch.inf)
    peak = torch.maximum(torch.where(alive1, peak1, low), torch.where(alive2, peak2, low))
    peak = torch.where(alive1 | alive2, peak, torch.zeros_like(peak))
    mass1 = total1 * torch.where(alive1, peak1 - peak, low).exp()
    mass2 = total2 * torch.where(alive2, peak2 - peak, low).exp()
    total = mass1 + mass2
    share = mass1 / torch.where(total > 0, total, torch.ones_like(total))
    rest = mass2 / torch.where(total > 0, total, torch.ones_like(total))
    return share * out1 + rest * out2, peak, total, alive1 | alive2

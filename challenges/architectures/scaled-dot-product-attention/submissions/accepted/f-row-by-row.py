"""One query at a time, with a softmax spelled out; in-place on the temporaries of this function only."""

import torch


def softmax_over(scores, allowed):
    if scores.shape[-1] == 0:
        return scores
    scores = torch.where(allowed, scores, -torch.inf)
    shift = scores.detach().max(dim=-1, keepdim=True).values
    shift.masked_fill_(shift == -torch.inf, 0.0)
    e = (scores - shift).exp()
    z = e.sum(-1, keepdim=True)
    return e / torch.where(z == 0, 1.0, z)


def attention(q, k, v, mask=None):
    scale = torch.rsqrt(torch.tensor(q.shape[-1], dtype=torch.float64)).item()
    T, S = q.shape[-2], k.shape[-2]
    lead = torch.broadcast_shapes(q.shape[:-2], k.shape[:-2])
    allowed = torch.ones(*lead, T, S, dtype=torch.bool, device=q.device)
    if mask is not None:
        allowed &= mask
    rows = []
    for t in range(T):
        scores = (q[..., t, None, :] * k).sum(-1).mul_(scale)
        w = softmax_over(scores, allowed[..., t, :])
        rows.append((w[..., None] * v).sum(-2))
    if rows:
        return torch.stack(rows, dim=-2)
    return q.new_empty(*torch.broadcast_shapes(lead, v.shape[:-2]), 0, v.shape[-1]) + 0 * (q.sum() + k.sum() + v.sum())

"""Works in float64 on the last dimension; lines without an entry are given finite scores first and zeros last."""

import torch


def centred(scores):
    if scores.shape[-1] == 0:
        return scores
    top, _ = scores.max(dim=-1, keepdim=True)
    return scores - top


def log_softmax(x, dim):
    z = centred(x.double().movedim(dim, -1))
    result = z - torch.log(torch.einsum("...i->...", torch.exp(z)).unsqueeze(-1))
    return result.movedim(-1, dim).to(x.dtype)


def masked_softmax(x, mask, dim):
    keep = torch.broadcast_to(mask, x.shape).movedim(dim, -1)
    alive = keep.any(dim=-1, keepdim=True)
    scores = x.double().movedim(dim, -1)
    scores = torch.where(keep, scores, torch.full_like(scores, float("-inf")))
    scores = torch.where(alive, scores, torch.zeros_like(scores))
    e = torch.exp(centred(scores))
    p = e / e.sum(dim=-1, keepdim=True)
    return torch.where(keep, p, torch.zeros_like(p)).movedim(-1, dim).to(x.dtype)

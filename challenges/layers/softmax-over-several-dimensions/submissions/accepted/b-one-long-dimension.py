"""Moves the dimensions of a group to the end, makes one of them, and works in float64 on lines."""

import torch


def lines(x, dims):
    rank = x.dim()
    named = [dims] if isinstance(dims, int) else list(dims)
    axes = [dim + rank if dim < 0 else dim for dim in named]
    if len(axes) == 0:
        raise ValueError("no dimension")
    if sorted(axes) != sorted(set(axes)):
        raise ValueError("a dimension is named twice")
    ends = list(range(rank - len(axes), rank))
    moved = torch.movedim(x, axes, ends)
    return moved.flatten(rank - len(axes)), lambda y: torch.movedim(y.reshape(moved.shape), ends, axes)


def centred(scores):
    if scores.shape[-1] == 0:
        return scores
    return scores - scores.max(dim=-1, keepdim=True).values


def log_softmax(x, dims):
    flat, undo = lines(x.double(), dims)
    z = centred(flat)
    return undo(z - torch.log(torch.einsum("...i->...", torch.exp(z)).unsqueeze(-1))).to(x.dtype)


def masked_softmax(x, mask, dims):
    flat, undo = lines(x.double(), dims)
    keep, _ = lines(torch.broadcast_to(mask, x.shape), dims)
    alive = keep.any(dim=-1, keepdim=True)
    scores = torch.where(keep, flat, torch.full_like(flat, float("-inf")))
    scores = torch.where(alive, scores, torch.zeros_like(scores))
    e = torch.exp(centred(scores))
    p = e / e.sum(dim=-1, keepdim=True)
    return undo(torch.where(keep, p, torch.zeros_like(p))).to(x.dtype)

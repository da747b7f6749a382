"""Maximum and sum are associative, so each is taken along one dimension after the other; the division happens once."""

import torch


def checked(x, dims):
    axes = set()
    for dim in [dims] if isinstance(dims, int) else dims:
        if dim % x.dim() in axes:
            raise ValueError(f"dimension {dim} is named twice")
        axes.add(dim % x.dim())
    if not axes:
        raise ValueError("dims is empty")
    return sorted(axes)


def top(x, axes):
    for axis in axes:
        x = x.max(axis, keepdim=True).values
    return x


def total(x, axes):
    for axis in axes:
        x = x.sum(axis, keepdim=True)
    return x


def log_softmax(x, dims):
    axes = checked(x, dims)
    if 0 in x.shape:
        return torch.empty_like(x)
    small = x - top(x.detach(), axes)
    return small - total(small.exp(), axes).log()


def masked_softmax(x, mask, dims):
    axes = checked(x, dims)
    if 0 in x.shape:
        return torch.empty_like(x)
    scores = torch.where(mask, x, -torch.inf)
    shift = top(scores.detach(), axes)
    e = (scores - torch.where(shift > -torch.inf, shift, 0.0)).exp()
    s = total(e, axes)
    return e / torch.where(s > 0, s, 1.0)

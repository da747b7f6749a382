"""Tables of all pairs: the order is read from a table of who has which place, and prefixes are reductions under a triangle."""

import torch


def first_extreme(x, dim, largest=True):
    n = x.shape[dim]
    x = x.detach().transpose(dim, -1)
    if not largest:
        beats = x[..., None, :] < x[..., :, None]
    else:
        beats = x[..., None, :] > x[..., :, None]
    # the first element that nobody beats is the one with the largest weight
    weight = (~beats.any(-1)) * torch.arange(n, 0, -1)
    return (n - weight.amax(-1, keepdim=True)).transpose(dim, -1).squeeze(dim)


def places(x, descending):
    n = x.shape[-1]
    a, b = x.detach()[..., :, None], x.detach()[..., None, :]
    earlier = torch.ones(n, n, dtype=torch.bool).tril(-1)
    strictly = b > a if descending else b < a
    return (strictly | ((a == b) & earlier)).sum(-1)


def by_place(rank):
    n = rank.shape[-1]
    holds = rank[..., None, :] == torch.arange(n)[:, None]
    return (holds * torch.arange(n)).sum(-1)


def stable_order(x):
    return by_place(places(x, descending=False))


def top_k(x, k):
    if k < 0 or k > x.shape[-1]:
        raise ValueError("k")
    indices = by_place(places(x, descending=True))[..., :k]
    return torch.take_along_dim(x, indices, -1), indices


def prefix(x, kind):
    n = x.shape[-1]
    seen = torch.ones(n, n, dtype=torch.bool).tril()
    wide = x[..., None, :].expand(*x.shape, n)
    if kind == "sum":
        return torch.where(seen, wide, 0).sum(-1)
    if kind == "product":
        return torch.where(seen, wide, 1).prod(-1)
    if kind == "max":
        # beyond the place stands the first element, which is in every prefix
        return torch.where(seen, wide, x[..., None, :1]).amax(-1)
    raise ValueError(kind)


def window_sums(x, w):
    if w < 1:
        raise ValueError("w")
    n = x.shape[-1]
    seen = torch.ones(n, n, dtype=torch.bool).tril().triu(1 - w)
    return torch.where(seen, x[..., None, :], 0).sum(-1)

"""Index arithmetic, one-hot products and functions for something else."""

import torch
import torch.nn.functional as F


def sums(a, b):
    return torch.add(a.unsqueeze(1), b)


def gaps(x):
    return torch.cdist(x[:, None], x[:, None], p=1)


def same_token(ids):
    return ids.unsqueeze(2).eq(ids.unsqueeze(1))


def band(n, w):
    return ((d := torch.arange(n)[:, None] - torch.arange(n)) >= 0) & (d < w)


def prefix_mask(lengths, t):
    return torch.ones(len(lengths), t).cumsum(1) <= lengths[:, None]


def label_means(x, ids, k):
    return (own := F.one_hot(ids, k).T.to(x.dtype)) @ x / own.sum(1, keepdim=True).clamp(min=1)


def swap_neighbours(x):
    return x[:, torch.arange(x.shape[1]) ^ 1]


def antidiagonal(x):
    return x[(i := torch.arange(len(x))), -1 - i]


def circulant(c):
    return c.repeat(2).unfold(0, len(c), 1)[1:].flip(0)


def windows(x, w):
    return x[torch.arange(len(x) - w + 1)[:, None] + torch.arange(w)]


def last_states(x, lengths):
    return x.take_along_dim((lengths - 1)[:, None, None], dim=1)[:, 0]


def undo(p):
    return torch.empty_like(p).scatter(0, p, torch.arange(len(p)))


def skewed(x):
    return x[(i := torch.arange(x.shape[0])[:, None]), (torch.arange(x.shape[1]) - i) % x.shape[1]]


def runs(x):
    return x.unique_consecutive(return_inverse=True)[1]


def first_true(mask):
    return F.pad(mask, (0, 1), value=True).int().argmax(1)


def enlarge(x, r):
    return x[:, None, :, None].tile(1, r, 1, r).flatten(2).flatten(0, 1)


def block_sums(x, r):
    return F.avg_pool2d(x[None], r)[0] * r**2


def forms(x, w, y):
    return ((x @ w) * y).sum(-1).T


def traces(a, b):
    return (a * b.mT).sum((1, 2))


def weighted_gram(x, w):
    return (x.T * w) @ x

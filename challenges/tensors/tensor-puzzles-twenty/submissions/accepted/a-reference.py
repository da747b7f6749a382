"""Reference: broadcasting, views and the function that is made for it."""

import torch
import torch.nn.functional as F


def sums(a, b):
    return a[:, None] + b


def gaps(x):
    return (x[:, None] - x).abs()


def same_token(ids):
    return ids[:, :, None] == ids[:, None, :]


def band(n, w):
    return torch.ones(n, n, dtype=torch.bool).tril().triu(1 - w)


def prefix_mask(lengths, t):
    return torch.arange(t) < lengths[:, None]


def label_means(x, ids, k):
    return x.new_zeros(k, x.shape[1]).index_add(0, ids, x) / ids.bincount(minlength=k).clamp(min=1)[:, None]


def swap_neighbours(x):
    return x.unflatten(1, (-1, 2)).flip(2).flatten(1)


def antidiagonal(x):
    return x.flip(1).diagonal()


def circulant(c):
    return c[(torch.arange(len(c)) - torch.arange(len(c))[:, None]) % len(c)]


def windows(x, w):
    return x.unfold(0, w, 1)


def last_states(x, lengths):
    return x[torch.arange(len(x)), lengths - 1]


def undo(p):
    return p.argsort()


def skewed(x):
    return x.gather(1, (torch.arange(x.shape[1]) - torch.arange(x.shape[0])[:, None]) % x.shape[1])


def runs(x):
    return F.pad(x.diff().ne(0).cumsum(0), (1, 0))


def first_true(mask):
    return (mask.cumsum(1) == 0).sum(1)


def enlarge(x, r):
    return x.repeat_interleave(r, dim=0).repeat_interleave(r, dim=1)


def block_sums(x, r):
    return x.unflatten(1, (-1, r)).unflatten(0, (-1, r)).sum((1, 3))


def forms(x, w, y):
    return torch.einsum("bi,kij,bj->bk", x, w, y)


def traces(a, b):
    return torch.einsum("bij,bji->b", a, b)


def weighted_gram(x, w):
    return torch.einsum("n,ni,nj->ij", w, x, x)

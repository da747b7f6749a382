"""Tables of indices, and gathers from them."""

import torch
import torch.nn.functional as F


def sums(a, b):
    return a.reshape(-1, 1).expand(-1, len(b)) + b


def gaps(x):
    return torch.maximum(x[:, None], x) - torch.minimum(x[:, None], x)


def same_token(ids):
    return torch.eq(ids[..., None], ids[:, None])


def band(n, w):
    return (d := torch.arange(n).view(n, 1) - torch.arange(n)).ge(0).logical_and(d.lt(w))


def prefix_mask(lengths, t):
    return lengths.unsqueeze(1).gt(torch.arange(t))


def label_means(x, ids, k):
    return torch.einsum("nk,nd->kd", (own := F.one_hot(ids, k).to(x.dtype)) / own.sum(0).clamp(min=1), x)


def swap_neighbours(x):
    return torch.stack((x[:, 1::2], x[:, ::2]), 2).view(x.shape)


def antidiagonal(x):
    return torch.rot90(x).diagonal()


def circulant(c):
    return torch.take(c, torch.arange(len(c)).sub(torch.arange(len(c)).view(-1, 1)).remainder(len(c)))


def windows(x, w):
    return torch.take(x, torch.arange(len(x) - w + 1).view(-1, 1) + torch.arange(w))


def last_states(x, lengths):
    return x.gather(1, (lengths - 1).view(-1, 1, 1).expand(-1, 1, x.shape[2])).squeeze(1)


def undo(p):
    return torch.arange(len(p)).index_copy(0, p, torch.arange(len(p)))


def skewed(x):
    return x.take_along_dim(torch.arange(x.shape[1]).sub(torch.arange(len(x)).view(-1, 1)).remainder(x.shape[1]), 1)


def runs(x):
    return (x != torch.cat((x[:1], x[:-1]))).cumsum(0)


def first_true(mask):
    return torch.where(mask, torch.arange(mask.shape[1]), mask.shape[1]).amin(1)


def enlarge(x, r):
    return x[:, None, :, None].expand(-1, r, -1, r).reshape(r * x.shape[0], r * x.shape[1])


def block_sums(x, r):
    return torch.einsum("hiwj->hw", x.reshape(x.shape[0] // r, r, x.shape[1] // r, r))


def forms(x, w, y):
    return torch.einsum("kbj,bj->bk", x @ w, y)


def traces(a, b):
    return torch.linalg.vecdot(a.flatten(1), b.transpose(1, 2).flatten(1))


def weighted_gram(x, w):
    return x.mT @ (w.unsqueeze(1) * x)

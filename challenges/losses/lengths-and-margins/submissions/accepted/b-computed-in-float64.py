"""Everything in float64, whose range holds the squares; vector_norm has the gradient 0 at 0."""

import torch
from torch.nn import functional as F


def unit(x, order=2, dim=-1):
    if order != 1 and order != 2:
        raise ValueError("order")
    wide = x.double()
    if dim is None:
        norm = torch.linalg.vector_norm(wide, ord=order)
    else:
        norm = torch.linalg.vector_norm(wide, ord=order, dim=dim, keepdim=True)
    return (wide / norm.masked_fill(norm == 0, 1.0)).to(x.dtype)


def cosine(a, b):
    return torch.einsum("...d,...d->...", unit(a.double()), unit(b.double())).to(a.dtype)


def hinge_loss(scores, labels, margin=1.0):
    return F.relu(margin - scores * labels.to(scores.dtype)).sum() / len(scores)


def triplet_loss(anchor, positive, negative, margin=1.0):
    a = anchor.double()
    near = torch.linalg.vector_norm(a - positive.double(), dim=1)
    far = torch.linalg.vector_norm(a - negative.double(), dim=1)
    return F.relu(near - far + margin).mean().to(anchor.dtype)


def cosine_loss(a, b, labels, margin=0.0):
    cos = cosine(a, b)
    together, apart = labels > 0, labels < 0
    total = (1 - cos[together]).sum() + F.relu(cos[apart] - margin).sum()
    return total / len(labels)

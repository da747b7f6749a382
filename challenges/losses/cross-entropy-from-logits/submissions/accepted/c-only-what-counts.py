"""Selects the positions that count and works on a plain (M, C) matrix; the losses are put back where they belong."""

import torch


def flat(x):
    return x[None] if x.dim() == 1 else x.transpose(0, 1).flatten(1).T


def cross_entropy(logits, target, weight=None, ignore_index=-100, label_smoothing=0.0, reduction="mean"):
    shape = logits.shape[:1] + logits.shape[2:] if logits.dim() > 1 else ()
    matrix = flat(logits)
    c = matrix.size(1)
    w = matrix.new_ones(c) if weight is None else weight
    out = matrix.new_zeros(matrix.size(0))
    if target.is_floating_point():
        log_p = matrix.log_softmax(1)
        mixed = flat(target) * (1 - label_smoothing) + label_smoothing / c
        out = -torch.einsum("mc,mc,c->m", mixed, log_p, w)
        weights = torch.ones_like(out)
    else:
        labels = target.flatten()
        where = (labels != ignore_index).nonzero().squeeze(1)
        t = labels[where]
        if not bool(((t >= 0) & (t < c)).all()):
            raise IndexError("no such class")
        log_p = matrix[where].log_softmax(1)
        loss = -w[t] * log_p[torch.arange(len(t)), t] * (1 - label_smoothing)
        if label_smoothing:
            loss = loss - (log_p @ w) * label_smoothing / c
        out = out.index_put((where,), loss)
        weights = w[t]
    match reduction:
        case "none":
            return out.reshape(shape)
        case "sum":
            return out.sum()
        case "mean":
            return out.sum() / weights.sum()
        case _:
            raise ValueError("reduction must be none, sum or mean")

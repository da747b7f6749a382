"""Turns indices into distributions and keeps one path; ignored lines are cleaned before anything is computed."""

import torch
import torch.nn.functional as F


def cross_entropy(logits, target, weight=None, ignore_index=-100, label_smoothing=0.0, reduction="mean"):
    if reduction not in {"none", "sum", "mean"}:
        raise ValueError(reduction)
    single = logits.ndim == 1
    scores = (logits if single else logits.movedim(1, -1)).reshape(-1, logits.shape[0 if single else 1])
    count = scores.shape[1]
    w = torch.ones(count, dtype=logits.dtype) if weight is None else weight
    if target.dtype == torch.int64:
        labels = target.reshape(-1)
        alive = labels != ignore_index
        scores, labels = torch.where(alive[:, None], scores, 0.0), torch.where(alive, labels, 0)
        if labels.numel() and (labels.min() < 0 or labels.max() >= count):
            raise IndexError("label out of range")
        q = F.one_hot(labels, count).to(scores.dtype)
        denominator = (w[labels] * alive).sum()
    else:
        alive = torch.ones(scores.shape[0], dtype=torch.bool)
        q = (target if single else target.movedim(1, -1)).reshape(-1, count)
        denominator = torch.tensor(float(scores.shape[0]), dtype=scores.dtype)
    q = q * (1 - label_smoothing) + label_smoothing / count
    terms = w * q * (scores - scores.logsumexp(1, keepdim=True))
    each = -torch.where(q == 0, 0.0, terms).sum(1) if target.dtype == torch.int64 else -terms.sum(1)
    each = torch.where(alive, each, 0.0)
    if reduction == "none":
        return each.reshape(logits.shape[:0] if single else (logits.shape[0], *logits.shape[2:]))
    return each.sum() if reduction == "sum" else each.sum() / denominator

"""Logsumexp minus the similarity of the pair; lengths are divided out of the matrix."""

import torch


def similarities(left, right):
    lengths = torch.outer(left.norm(dim=1), right.norm(dim=1))
    return torch.mm(left, right.t()) / lengths


def clip_loss(image, text, log_scale, all_image=None, all_text=None, rank=0, max_scale=100.0):
    if float(log_scale.detach().exp()) > max_scale:
        scale = log_scale * 0 + max_scale
    else:
        scale = torch.exp(log_scale)
    alone = all_text is None
    rows = similarities(image, text if alone else all_text) * scale
    columns = similarities(text, image if alone else all_image) * scale
    offset = 0 if alone else rank * image.shape[0]
    pairs = torch.diagonal(rows, offset), torch.diagonal(columns, offset)
    each = rows.logsumexp(1) - pairs[0] + columns.logsumexp(1) - pairs[1]
    return 0.5 * each.mean()

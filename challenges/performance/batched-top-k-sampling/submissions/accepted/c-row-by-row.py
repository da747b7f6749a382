"""One row at a time, and only the tokens that take part."""

import torch


def sample_top_k(logits, noise, k):
    if not 0 < k <= logits.size(1):
        raise ValueError("k is out of range")
    tokens = []
    for row, extra in zip(logits, noise, strict=True):
        border = row.kthvalue(len(row) - k + 1).values
        kept = torch.nonzero(row >= border)[:, 0]
        tokens.append(kept[(row[kept] + extra[kept]).argmax()])
    return torch.stack(tokens) if tokens else torch.zeros(0, dtype=torch.int64)

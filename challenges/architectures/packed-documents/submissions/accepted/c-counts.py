"""Positions by counting earlier places of the same document; targets by rolling."""

import torch
from torch.nn.functional import pad


def pack(documents, length):
    rows = []
    for document in documents:
        if len(document) > length or len(document) < 1:
            raise ValueError("this document fits into no row")
        for row in rows:
            if sum(map(len, row)) + len(document) <= length:
                row.append(document)
                break
        else:
            rows.append([document])
    if not rows:
        return torch.zeros(0, length, dtype=torch.long), torch.zeros(0, length, dtype=torch.long)
    ids, numbers = [], []
    for row in rows:
        line = torch.cat(row)
        which = torch.cat([torch.full((len(d),), i) for i, d in enumerate(row, start=1)])
        ids.append(pad(line, (0, length - len(line))))
        numbers.append(pad(which, (0, length - len(line))))
    return torch.stack(ids), torch.stack(numbers)


def attention_mask(numbers):
    L = numbers.shape[-1]
    t, s = torch.arange(L).view(L, 1), torch.arange(L).view(1, L)
    same = numbers.unsqueeze(-1).eq(numbers.unsqueeze(-2))
    real = numbers.unsqueeze(-1).gt(0)
    return torch.logical_and(s <= t, torch.logical_and(same, real)).logical_or(s == t)


def positions(numbers):
    same = numbers[:, :, None] == numbers[:, None, :]
    return same.tril(-1).sum(-1) * numbers.gt(0)


def targets(ids, numbers):
    after, same = ids.roll(-1, dims=1), numbers.roll(-1, dims=1) == numbers
    ends = torch.arange(ids.shape[1]) == ids.shape[1] - 1
    return after.masked_fill(~same | ends | (numbers == 0), -100)

"""Rows as lists; masks by comparison; positions by a running maximum."""

import torch
from torch import Tensor


def pack(documents: list[Tensor], length: int) -> tuple[Tensor, Tensor]:
    rows: list[list[Tensor]] = []
    used: list[int] = []
    for document in documents:
        size = len(document)
        if not 1 <= size <= length:
            raise ValueError(f"a document has {size} tokens, and a row {length}")
        place = next((i for i, taken in enumerate(used) if taken + size <= length), len(rows))
        if place == len(rows):
            rows.append([])
            used.append(0)
        rows[place].append(document)
        used[place] += size
    ids = torch.zeros(len(rows), length, dtype=torch.int64)
    numbers = torch.zeros_like(ids)
    for i, row in enumerate(rows):
        ids[i, : used[i]] = torch.cat(row)
        sizes = torch.tensor([len(document) for document in row])
        numbers[i, : used[i]] = torch.arange(1, len(row) + 1).repeat_interleave(sizes)
    return ids, numbers


def attention_mask(numbers: Tensor) -> Tensor:
    same = (numbers[:, :, None] == numbers[:, None, :]) & (numbers != 0)[:, None, :]
    return same.tril() | torch.eye(numbers.shape[1], dtype=torch.bool)


def positions(numbers: Tensor) -> Tensor:
    places = torch.arange(numbers.shape[1]).expand(numbers.shape)
    first = torch.ones_like(numbers, dtype=torch.bool)
    first[:, 1:] = numbers[:, 1:] != numbers[:, :-1]
    begin = torch.where(first, places, 0).cummax(dim=1).values
    return torch.where(numbers != 0, places - begin, 0)


def targets(ids: Tensor, numbers: Tensor) -> Tensor:
    out = torch.full_like(ids, -100)
    follows = (numbers[:, 1:] == numbers[:, :-1]) & (numbers[:, 1:] != 0)
    out[:, :-1] = torch.where(follows, ids[:, 1:], -100)
    return out

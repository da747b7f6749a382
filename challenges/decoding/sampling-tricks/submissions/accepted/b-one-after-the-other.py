"""Draws one after the other with what is left, two pointers over sorted columns, and random keys in a heap."""

import heapq

import torch


def gumbel_top_k(logits, k, generator=None):
    if k <= 0:
        raise ValueError("k")
    if bool((torch.isfinite(logits).sum(dim=-1) < k).any()):
        raise ValueError("too few possible indices")
    left, chosen = logits.double(), []
    for _ in range(k):
        mass = (left - left.amax(1, keepdim=True)).exp().cumsum(1)
        u = torch.rand(len(left), 1, dtype=torch.float64, generator=generator)
        index = (mass <= u * mass[:, -1:]).sum(1, keepdim=True)
        chosen.append(index)
        left = left.scatter(1, index, -torch.inf)
    return torch.cat(chosen, dim=1)


def alias_table(weights):
    if (weights < 0).any() or not weights.any():
        raise ValueError("weights")
    v = weights.numel()
    share = weights.to(torch.float64) * v
    share = share / weights.to(torch.float64).sum()
    order = share.argsort().tolist()
    keep, alias = [1.0] * v, [0] * v
    rest = share.tolist()
    # Columns from `giver` on still hold their own surplus; the smallest ones are filled first.
    giver = next((place for place, i in enumerate(order) if rest[i] > 1.0), v)
    waiting = order[:giver]
    while waiting and giver < v:
        i, j = waiting.pop(0), order[giver]
        keep[i], alias[i] = rest[i], j
        rest[j] = (rest[i] + rest[j]) - 1.0
        if rest[j] < 1.0:
            waiting.insert(0, j)
            giver += 1
    return torch.tensor(keep, dtype=torch.float64).clamp(0, 1), torch.tensor(alias, dtype=torch.int64)


def alias_draw(keep, alias, n, generator=None):
    u = torch.rand(n, dtype=torch.float64, generator=generator) * keep.numel()
    column = u.long().clamp(max=keep.numel() - 1)
    # The whole part of u is the column, and what is behind the point an independent coin.
    stay = (u - column) < keep.index_select(0, column)
    return column * stay + alias.index_select(0, column) * ~stay


def reservoir(stream, k, generator=None):
    if k < 1:
        raise ValueError("k")
    heap = []
    for count, item in enumerate(stream):
        entry = (torch.rand((), dtype=torch.float64, generator=generator).item(), count, item)
        if len(heap) < k:
            heapq.heappush(heap, entry)
        elif entry[:2] > heap[0][:2]:
            heapq.heapreplace(heap, entry)
    return [entry[2] for entry in heap]

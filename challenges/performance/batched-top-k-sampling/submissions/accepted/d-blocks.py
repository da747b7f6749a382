"""The k largest logits lie in the k blocks with the largest maxima, so only these blocks are looked at a second time."""

import math

import torch

BLOCK = 64


def sample_top_k(logits, noise, k):
    rows, tokens = logits.shape
    if not 1 <= k <= tokens:
        raise ValueError(f"k must be between 1 and {tokens}")
    count = tokens // BLOCK
    if count <= 2 * k or not rows:
        return in_whole_rows(logits, noise, k)
    body = count * BLOCK
    blocks = logits[:, :body].reshape(rows, count, BLOCK)
    tops = blocks.amax(2)
    chosen = tops.topk(k, sorted=False).indices
    places = chosen + count * torch.arange(rows)[:, None]
    near = blocks.reshape(-1, BLOCK).index_select(0, places.flatten()).view(rows, -1)
    near = torch.cat([near, logits[:, body:]], 1)  # what does not fill a block
    found = near.topk(k)
    border = found.values[:, -1:]
    elsewhere = (tops >= border).sum(1) > k  # a block beyond the k holds the border, too
    several = (near >= border).sum(1) > k
    if bool((elsewhere | several).any()):
        return in_whole_rows(logits, noise, k)
    block = chosen.gather(1, (found.indices // BLOCK).clamp(max=k - 1))
    behind = body + found.indices - k * BLOCK
    ids = torch.where(found.indices < k * BLOCK, block * BLOCK + found.indices % BLOCK, behind)
    sums = found.values + noise.gather(1, ids)
    return ids.masked_fill(sums < sums.amax(1, keepdim=True), tokens).amin(1)


def in_whole_rows(logits, noise, k):
    border = logits.topk(k).values[:, -1:]
    return (logits + noise).masked_fill(logits < border, -math.inf).argmax(1)

"""Puts the cache in order of time, attends with F.scaled_dot_product_attention and an additive mask, and writes a ring again."""

import torch
import torch.nn.functional as F


def ring_attention(q, k, v, window, slopes, cache=None):
    if not window >= 1:
        raise ValueError("a window has at least one token")
    T = q.size(2)
    past_k, past_v, begin = k[:, :, :0], v[:, :, :0], 0
    if cache is not None:
        keys, values, positions = cache
        if positions.shape != (window,):
            raise ValueError("the cache has another size")
        order = positions.argsort()
        order = order[positions[order] >= 0]
        past_k, past_v = keys[:, :, order], values[:, :, order]
        begin = int(positions.max()) + 1
    all_k, all_v = torch.cat([past_k, k], 2), torch.cat([past_v, v], 2)
    P = past_k.size(2)  # the history holds the positions begin - P, ..., begin + T - 1
    steps = torch.arange(P, P + T)[:, None] - torch.arange(P + T)[None, :]
    mask = -slopes.view(-1, 1, 1) * steps.to(q.dtype)
    mask = torch.where((steps < 0) | (steps >= window), float("-inf"), mask)
    out = F.scaled_dot_product_attention(q, all_k, all_v, attn_mask=mask.expand(q.size(0), -1, -1, -1))

    end = begin + T
    slots = torch.arange(window)
    # The latest position below `end` that belongs to each slot.
    held = end - 1 - (end - 1 - slots) % window
    filled = held >= 0
    index = (held - (begin - P)).clamp(min=0)
    return out, (all_k[:, :, index], all_v[:, :, index], torch.where(filled, held, -1))

"""One token at a time: write it into its slot, then attend to the slots that are filled. No piece is ever seen as a whole."""

import torch
import torch.nn.functional as F


def ring_attention(q, k, v, window, slopes, cache=None):
    if window <= 0:
        raise ValueError("window")
    B, H, T, e = q.shape
    if cache is None:
        keys = [None] * window
        values = [None] * window
        positions = [-1] * window
    else:
        if cache[2].numel() != window:
            raise ValueError("the cache belongs to another window")
        keys = list(cache[0].unbind(2))
        values = list(cache[1].unbind(2))
        positions = cache[2].tolist()
    i = max(positions) + 1
    outs = []
    for t in range(T):
        slot = i % window
        keys[slot], values[slot], positions[slot] = k[:, :, t], v[:, :, t], i
        filled = [s for s in range(window) if positions[s] >= 0]
        K = torch.stack([keys[s] for s in filled], dim=2)
        V = torch.stack([values[s] for s in filled], dim=2)
        away = torch.tensor([i - positions[s] for s in filled], dtype=q.dtype)
        scores = torch.einsum("bhe,bhse->bhs", q[:, :, t], K) * e**-0.5 - slopes[:, None] * away
        outs.append(torch.einsum("bhs,bhse->bhe", F.softmax(scores, dim=-1), V))
        i += 1
    blank = torch.zeros(B, H, e, dtype=k.dtype)
    keys = torch.stack([blank if x is None else x for x in keys], dim=2)
    values = torch.stack([blank if x is None else x for x in values], dim=2)
    return torch.stack(outs, dim=2), (keys, values, torch.tensor(positions))

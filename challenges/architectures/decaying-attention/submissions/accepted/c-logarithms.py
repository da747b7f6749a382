"""Decays as exponentials of differences of logarithms, which are never positive."""

import torch


def fade(gamma, steps):
    """gamma ** steps for whole steps of any shape, (H, ...)."""
    shape = (-1,) + (1,) * steps.dim()
    return torch.exp(gamma.log().view(shape) * steps)


def weights(q, k, gamma):
    t = torch.arange(q.shape[2], dtype=q.dtype)
    distance = t.unsqueeze(1) - t.unsqueeze(0)
    decay = fade(gamma, distance.clamp(min=0)).masked_fill(distance < 0, 0.0)
    return torch.einsum("bhte,bhse,hts->bhts", q, k, decay) / q.shape[-1] ** 0.5


def parallel(q, k, v, gamma):
    return torch.einsum("bhts,bhsm->bhtm", weights(q, k, gamma), v)


def step(state, q, k, v, gamma):
    out, new = chunked(q.unsqueeze(2), k.unsqueeze(2), v.unsqueeze(2), gamma, 1, state)
    return out[:, :, 0], new


def chunked(q, k, v, gamma, size, state=None):
    outs, total, e = [], q.shape[2], q.shape[3]
    for start in range(0, total, size):
        end = min(start + size, total)
        a, b, c = q[:, :, start:end], k[:, :, start:end], v[:, :, start:end]
        places = torch.arange(end - start, dtype=q.dtype)
        y = parallel(a, b, c, gamma)
        fresh = torch.einsum("bhse,hs,bhsm->bhem", b, fade(gamma, places.flip(0)), c)
        if state is None:
            state = fresh
        else:
            y = y + torch.einsum("bhte,ht,bhem->bhtm", a, fade(gamma, places + 1), state) / e**0.5
            state = state * fade(gamma, torch.tensor(end - start, dtype=q.dtype)).view(-1, 1, 1) + fresh
        outs.append(y)
    return torch.cat(outs, 2), state

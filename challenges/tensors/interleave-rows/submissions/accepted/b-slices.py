"""Slices with a step, on both ways."""

import torch


def interleave(a, b):
    same = a.shape == b.shape and a.dtype == b.dtype
    if not same or a.ndim == 0:
        raise ValueError(f"{a.shape} and {b.shape} do not match")
    out = torch.empty((2 * a.shape[0], *a.shape[1:]), dtype=a.dtype, device=a.device)
    out[0::2] = a
    out[1::2] = b
    return out


def deinterleave(x):
    if x.ndim == 0 or x.shape[0] % 2 == 1:
        raise ValueError("no pairs of rows")
    return x[0::2], x[1::2]

"""Sums of squares, and exactly one fetch: the norm, by which Python then decides."""

import math

import torch


def clip_global_norm_(params, max_norm, error_if_nonfinite=False):
    if isinstance(params, torch.Tensor):
        params = [params]
    with torch.no_grad():
        grads = []
        for p in params:
            if p.grad is not None:
                grads.append(p.grad)
        if not grads:
            return torch.tensor(0.0)
        norm = sum(g.square().sum() for g in grads).sqrt()
        length = norm.item()
        if error_if_nonfinite and not math.isfinite(length):
            raise RuntimeError("not finite")
        if not length + 1e-6 <= max_norm:
            for g in grads:
                g *= max_norm / (length + 1e-6)
    return norm

# caught by: test_strong_decay[decoupled]
"""Shrinks after the step, and the step with it."""

import torch


@torch.no_grad()
def adam_step_(p, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, wd=0.0, decoupled=True):
    if not decoupled:
        g = g + wd * p
    if not state:
        state.update(t=0, m=torch.zeros_like(p), v=torch.zeros_like(p))
    state["t"] += 1
    beta1, beta2 = betas
    state["m"].lerp_(g, 1 - beta1)
    state["v"].lerp_(g * g, 1 - beta2)
    m = state["m"] / (1 - beta1 ** state["t"])
    v = state["v"] / (1 - beta2 ** state["t"])
    p.sub_(lr * m / (v.sqrt() + eps))
    if decoupled:
        p.mul_(1 - lr * wd)


def l2_penalty(params, wd):
    squares = [p.square().sum() for p in params]
    return wd / 2 * torch.stack(squares).sum() if squares else torch.tensor(0.0)

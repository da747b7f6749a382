"""Everything computed out of place and copied at the end; the penalty as a running sum of scalar products."""

import math

import torch


def adam_step_(p, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, wd=0.0, decoupled=True):
    old, g = p.detach(), g.detach()
    t = state.get("step", 0) + 1
    if not decoupled and wd != 0:
        g = g.add(old, alpha=wd)
    m = (1 - betas[0]) * g + betas[0] * state.get("exp_avg", 0.0)
    v = (1 - betas[1]) * g**2 + betas[1] * state.get("exp_avg_sq", 0.0)
    state["step"], state["exp_avg"], state["exp_avg_sq"] = t, m, v
    denominator = v.sqrt() / math.sqrt(1 - betas[1] ** t) + eps
    new = old - lr / (1 - betas[0] ** t) * m / denominator
    if decoupled:
        new = new - lr * wd * old
    with torch.no_grad():
        p.copy_(new)


def l2_penalty(params, wd):
    total = None
    for p in params:
        term = 0.5 * wd * torch.sum(p * p)
        total = term if total is None else total + term
    return torch.tensor(0.0) if total is None else total

"""Lets the library do the step."""

import torch
from torch.optim.adamw import adamw


def adam_step_(p, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, wd=0.0, decoupled=True):
    if not state:
        state.update(m=torch.zeros_like(p), v=torch.zeros_like(p), t=torch.tensor(0.0))
    beta1, beta2 = betas
    options = {
        "amsgrad": False,
        "beta1": beta1,
        "beta2": beta2,
        "lr": lr,
        "weight_decay": wd,
        "eps": eps,
        "maximize": False,
    }
    with torch.no_grad():
        adamw([p], [g], [state["m"]], [state["v"]], [], [state["t"]], **options)


def l2_penalty(params, wd):
    return sum(p.square().sum() for p in params) * wd / 2

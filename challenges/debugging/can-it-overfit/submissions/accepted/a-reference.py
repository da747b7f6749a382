"""A copy, a fork of the random state, and a loop that looks before each step and after the last."""

import copy
import math

import torch


def can_overfit(model, batch, loss_fn, steps=200, lr=0.01, tol=0.01):
    x, y = (t.detach() for t in batch)
    with torch.enable_grad(), torch.random.fork_rng(devices=[]):
        model = copy.deepcopy(model)
        optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        for step in range(steps + 1):
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            value = loss.item()
            if not math.isfinite(value) or value < -tol:
                return False
            if value < tol:
                return True
            if not loss.requires_grad:
                return False
            if step < steps:
                loss.backward()
                optimizer.step()
    return False

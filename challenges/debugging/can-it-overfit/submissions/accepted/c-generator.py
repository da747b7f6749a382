"""The losses come from a generator; the decision is made where they are read."""

import copy
from math import isfinite

import torch


def losses(model, batch, loss_fn, steps, lr):
    x, y = batch[0].detach(), batch[1].detach()
    optimizer = torch.optim.Adam(list(model.parameters()), lr)
    for _ in range(steps):
        model.zero_grad(set_to_none=True)
        loss = loss_fn(model(x), y)
        yield float(loss)
        if not loss.requires_grad:
            return
        loss.backward()
        optimizer.step()
    yield float(loss_fn(model(x), y))


@torch.enable_grad()
def can_overfit(model, batch, loss_fn, steps=200, lr=0.01, tol=0.01):
    state = torch.random.get_rng_state()
    try:
        for value in losses(copy.deepcopy(model), batch, loss_fn, steps, lr):
            if not isfinite(value) or value < -tol:
                return False
            if value < tol:
                return True
        return False
    finally:
        torch.random.set_rng_state(state)

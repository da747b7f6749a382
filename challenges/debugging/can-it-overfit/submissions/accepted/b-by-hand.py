"""Gradients by torch.autograd.grad; the random state is saved and set again."""

from copy import deepcopy

import torch


def look(loss, tol):
    if not torch.isfinite(loss) or loss < -tol:
        return False
    return True if loss < tol else None


def can_overfit(model, batch, loss_fn, steps=200, lr=0.01, tol=0.01):
    before, recording = torch.get_rng_state(), torch.is_grad_enabled()
    twin = deepcopy(model)
    trainable = [p for p in twin.parameters() if p.requires_grad]
    optimizer = torch.optim.Adam(trainable, lr=lr) if trainable else None
    torch.set_grad_enabled(True)
    try:
        for left in range(steps, -1, -1):
            loss = loss_fn(twin(batch[0]), batch[1])
            verdict = look(loss.detach(), tol)
            if verdict is not None:
                return verdict
            if loss.grad_fn is None or optimizer is None or left == 0:
                return False
            for p, g in zip(trainable, torch.autograd.grad(loss, trainable, allow_unused=True)):
                p.grad = g
            optimizer.step()
        return False
    finally:
        torch.set_grad_enabled(recording)
        torch.set_rng_state(before)

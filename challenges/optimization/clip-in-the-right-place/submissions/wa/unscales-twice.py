# caught by: test_scaled_step
"""Divides by the scale by hand, which the scaler does not know: it divides once more."""

import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_


def loss_of(model, x, y):
    return F.mse_loss(model(x), y)


def fit(model, optimizer, batches, max_norm):
    norms = []
    for x, y in batches:
        optimizer.zero_grad()
        loss_of(model, x, y).backward()
        norms.append(clip_grad_norm_(model.parameters(), max_norm).item())
        optimizer.step()
    return norms


def fit_deep(model, optimizer, batches, max_norm):
    return fit(model, optimizer, batches, max_norm)


def fit_accumulated(model, optimizer, batches, max_norm, every):
    norms = []
    optimizer.zero_grad()
    for i, (x, y) in enumerate(batches, 1):
        (loss_of(model, x, y) / every).backward()
        if i % every == 0:
            norms.append(clip_grad_norm_(model.parameters(), max_norm).item())
            optimizer.step()
            optimizer.zero_grad()
    return norms


def fit_scaled(model, optimizer, scaler, batches, max_norm):
    norms = []
    for x, y in batches:
        optimizer.zero_grad()
        scaler.scale(loss_of(model, x, y)).backward()
        for p in model.parameters():
            if p.grad is not None:
                p.grad.div_(scaler.get_scale())
        norms.append(clip_grad_norm_(model.parameters(), max_norm).item())
        scaler.step(optimizer)
        scaler.update()
    return norms

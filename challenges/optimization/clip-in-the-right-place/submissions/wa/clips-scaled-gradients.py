# caught by: test_what_the_optimizer_receives[fit_scaled]
"""Three are repaired; fit_scaled still limits gradients that are 4096 times too long."""

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
    """One step for each batch, with a scaled loss. Returns the norms before clipping."""
    norms = []
    for x, y in batches:
        optimizer.zero_grad()
        scaler.scale(F.mse_loss(model(x), y)).backward()
        norm = clip_grad_norm_(model.parameters(), max_norm)
        scaler.step(optimizer)
        scaler.update()
        norms.append(norm.item())
    return norms

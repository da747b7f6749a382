# caught by: test_mean_of_two_batches
"""Three are repaired; fit_accumulated still shortens the sum while it grows."""

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
    """One step for `every` batches, with the mean of their gradients. Returns the norms before clipping."""
    norms = []
    optimizer.zero_grad()
    for i, (x, y) in enumerate(batches, 1):
        (F.mse_loss(model(x), y) / every).backward()
        norm = clip_grad_norm_(model.parameters(), max_norm)
        if i % every == 0:
            optimizer.step()
            optimizer.zero_grad()
            norms.append(norm.item())
    return norms


def fit_scaled(model, optimizer, scaler, batches, max_norm):
    norms = []
    for x, y in batches:
        optimizer.zero_grad()
        scaler.scale(loss_of(model, x, y)).backward()
        scaler.unscale_(optimizer)
        norms.append(clip_grad_norm_(model.parameters(), max_norm).item())
        scaler.step(optimizer)
        scaler.update()
    return norms

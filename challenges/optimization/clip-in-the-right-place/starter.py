"""Four training functions with gradient clipping. None of them raises, and none of them clips what it should."""

import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_


def fit(model, optimizer, batches, max_norm):
    """One step for each batch. Returns the norms of the gradients before clipping."""
    norms = []
    for x, y in batches:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        norm = clip_grad_norm_(model.parameters(), max_norm)
        norms.append(norm.item())
    return norms


def fit_deep(model, optimizer, batches, max_norm):
    """One step for each batch, for networks of many layers. Returns the norms before clipping."""
    norms = []
    for x, y in batches:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        squares = [clip_grad_norm_(p, max_norm).square() for p in model.parameters()]
        norms.append(torch.stack(squares).sum().sqrt().item())
        optimizer.step()
    return norms


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

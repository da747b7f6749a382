# caught by: test_plain_step
"""Reports the length that is left after clipping."""

import torch.nn.functional as F
from torch.nn import utils
from torch.nn.utils import get_total_norm


def clip_grad_norm_(parameters, max_norm):
    parameters = list(parameters)
    utils.clip_grad_norm_(parameters, max_norm)
    return get_total_norm([p.grad for p in parameters if p.grad is not None])


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
        scaler.unscale_(optimizer)
        norms.append(clip_grad_norm_(model.parameters(), max_norm).item())
        scaler.step(optimizer)
        scaler.update()
    return norms

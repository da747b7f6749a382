"""Norm and factor computed in one helper; gradients cleared after the step instead of before the forward pass."""

import torch


def clip(optimizer, max_norm):
    """Shorten what the optimizer is about to use; give the length before."""
    grads = [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
    norm = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g) for g in grads]))
    factor = torch.clamp(max_norm / (norm + 1e-6), max=1.0)
    for g in grads:
        g.mul_(factor)
    return float(norm)


def fit(model, optimizer, batches, max_norm):
    return fit_accumulated(model, optimizer, batches, max_norm, 1)


fit_deep = fit


def fit_accumulated(model, optimizer, batches, max_norm, every):
    norms, waiting = [], 0
    model.zero_grad()
    for x, y in batches:
        loss = (model(x) - y).square().mean()
        loss.div(every).backward()
        waiting += 1
        if waiting == every:
            norms += [clip(optimizer, max_norm)]
            optimizer.step()
            model.zero_grad()
            waiting = 0
    return norms


def fit_scaled(model, optimizer, scaler, batches, max_norm):
    norms = []
    optimizer.zero_grad()
    for x, y in batches:
        loss = torch.nn.MSELoss()(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norms.append(clip(optimizer, max_norm))
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
    return norms

"""One backward of summed losses; under the scaler the limit is scaled instead of the gradients."""

import itertools

import torch.nn.functional as F
from torch.nn.utils import clip_grads_with_norm_, get_total_norm


def one_step(model, optimizer, loss, max_norm):
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    parameters = [p for p in model.parameters() if p.grad is not None]
    norm = get_total_norm([p.grad for p in parameters])
    clip_grads_with_norm_(parameters, max_norm, norm)
    optimizer.step()
    return norm.item()


def fit(model, optimizer, batches, max_norm):
    return [one_step(model, optimizer, F.mse_loss(model(x), y), max_norm) for x, y in batches]


def fit_deep(model, optimizer, batches, max_norm):
    return fit(model, optimizer, batches, max_norm)


def fit_accumulated(model, optimizer, batches, max_norm, every):
    norms, walk = [], iter(batches)
    while part := list(itertools.islice(walk, every)):
        loss = sum(F.mse_loss(model(x), y) for x, y in part) / every
        norms.append(one_step(model, optimizer, loss, max_norm))
    return norms


def fit_scaled(model, optimizer, scaler, batches, max_norm):
    norms = []
    for x, y in batches:
        optimizer.zero_grad()
        scaler.scale(F.mse_loss(model(x), y)).backward()
        parameters = [p for p in model.parameters() if p.grad is not None]
        scale = scaler.get_scale()
        norm = get_total_norm([p.grad for p in parameters])
        clip_grads_with_norm_(parameters, max_norm * scale, norm)
        scaler.step(optimizer)
        scaler.update()
        norms.append(norm.item() / scale)
    return norms

"""Refuses a one-shot iterator before training, uses autograd.grad, and counts on the device itself."""

import contextlib
from collections.abc import Iterator

import torch


class Stop(Exception):
    """The callback asked for the end."""


def fit(model, batches, loss_fn, optimizer, epochs, max_grad_norm=None, scheduler=None, on_epoch=None):
    if epochs > 1 and isinstance(batches, Iterator):
        raise ValueError("a one-shot iterator cannot feed more than one epoch")
    means = []
    with contextlib.suppress(Stop):
        for epoch in range(epochs):
            means.append(one_epoch(model, batches, loss_fn, optimizer, max_grad_norm))
            if scheduler is not None:
                scheduler.step()
            if on_epoch is not None and on_epoch(epoch, means[-1]):
                raise Stop
    return means


def one_epoch(model, batches, loss_fn, optimizer, limit):
    model.train()
    parameters = [p for p in model.parameters() if p.requires_grad]
    device = parameters[0].device
    total = torch.zeros((), device=device, dtype=torch.float64)
    seen = 0
    for batch in batches:
        x, y = (t.to(device) for t in batch)
        loss = loss_fn(model(x), y)
        for p, gradient in zip(parameters, torch.autograd.grad(loss, parameters, allow_unused=True)):
            p.grad = gradient
        if limit is not None:
            torch.nn.utils.clip_grad_norm_(parameters, limit)
        optimizer.step()
        with torch.no_grad():
            total += loss * len(x)
        seen += len(x)
    if seen == 0:
        raise ValueError("no batches")
    return (total / seen).item()

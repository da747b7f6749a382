"""Gradients by autograd.grad, kept as a running mean in a list of its own; clipping written by hand."""

import torch


def groups_of(batches, accum):
    group = []
    for pair in batches:
        group.append(pair)
        if len(group) == accum:
            yield group
            group = []
    if group:
        yield group


def train_accumulated(model, batches, optimizer, loss_fn, accum, max_grad_norm=None):
    if accum < 1:
        raise ValueError("accum must be at least 1")
    wanted = [p for p in model.parameters() if p.requires_grad]
    history = []
    for group in groups_of(batches, accum):
        mean, seen, so_far = [None] * len(wanted), 0, 0.0
        for x, y in group:
            loss = loss_fn(model(x), y)
            found = torch.autograd.grad(loss, wanted, allow_unused=True)
            seen += len(x)
            part = len(x) / seen
            so_far += (loss.item() - so_far) * part
            mean = [
                old if new is None else new * part if old is None else old + (new - old) * part
                for old, new in zip(mean, found)
            ]
        if max_grad_norm is not None:
            norm = torch.sqrt(sum(g.pow(2).sum() for g in mean if g is not None))
            factor = min(1.0, max_grad_norm / (norm.item() + 1e-6))
            mean = [None if g is None else g * factor for g in mean]
        for p, g in zip(wanted, mean):
            p.grad = g
        optimizer.step()
        history.append(so_far)
    return history

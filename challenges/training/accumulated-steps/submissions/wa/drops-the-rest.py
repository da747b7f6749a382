# caught by: test_leftover_group
"""A group that is not complete is never used."""

from itertools import islice

from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, batches, optimizer, loss_fn, accum, max_grad_norm=None):
    if accum < 1:
        raise ValueError("a group has at least one micro-batch")
    coming = iter(batches)
    losses = []
    while group := list(islice(coming, accum)):
        if len(group) < accum:
            break
        samples = sum(len(x) for x, _ in group)
        optimizer.zero_grad()
        total = 0.0
        for x, y in group:
            loss = loss_fn(model(x), y) * (len(x) / samples)
            loss.backward()
            total += loss.item()
        if max_grad_norm is not None:
            clip_grad_norm_(model.parameters(), max_grad_norm)
        optimizer.step()
        losses.append(total)
    return losses

# caught by: test_one_micro_batch_at_a_time
"""Puts the group together: right numbers, and the memory of the whole batch."""

from itertools import islice

import torch

from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, batches, optimizer, loss_fn, accum, max_grad_norm=None):
    if accum < 1:
        raise ValueError("a group has at least one micro-batch")
    coming = iter(batches)
    losses = []
    while group := list(islice(coming, accum)):
        samples = sum(len(x) for x, _ in group)
        optimizer.zero_grad()
        total = 0.0
        for x, y in [tuple(torch.cat(parts) for parts in zip(*group))]:
            loss = loss_fn(model(x), y) * (len(x) / samples)
            loss.backward()
            total += loss.item()
        if max_grad_norm is not None:
            clip_grad_norm_(model.parameters(), max_grad_norm)
        optimizer.step()
        losses.append(total)
    return losses

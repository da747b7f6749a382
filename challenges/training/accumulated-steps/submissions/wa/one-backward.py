# caught by: test_one_graph_at_a_time
"""Adds the losses and calls backward once for the group: all graphs live till then."""

from itertools import islice

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
        for x, y in group:
            loss = loss_fn(model(x), y) * (len(x) / samples)
            total = total + loss
        total.backward()
        total = total.item()
        if max_grad_norm is not None:
            clip_grad_norm_(model.parameters(), max_grad_norm)
        optimizer.step()
        losses.append(total)
    return losses

"""Generators: one yields the losses of steps, one the means of epochs; fit only collects."""

from itertools import count, islice, takewhile

import torch
from torch.nn.utils import clip_grad_norm_


def moved(batches, device):
    for x, y in batches:
        yield len(x), x.to(device=device), y.to(device=device)


def steps(model, batches, loss_fn, optimizer, limit):
    for n, x, y in moved(batches, next(model.parameters()).device):
        optimizer.zero_grad()
        prediction = model(x)
        loss = loss_fn(prediction, y)
        torch.autograd.backward(loss)
        if limit is not None:
            clip_grad_norm_(model.parameters(), max_norm=limit, norm_type=2.0)
        optimizer.step()
        yield n, loss.item()


def epochs_of(model, batches, loss_fn, optimizer, limit, scheduler):
    for epoch in count():
        model.train()
        pairs = list(steps(model, batches, loss_fn, optimizer, limit))
        if not pairs:
            raise ValueError("no batch in this epoch")
        sizes, losses = zip(*pairs)
        if scheduler is not None:
            scheduler.step()
        yield epoch, sum(n * loss for n, loss in pairs) / sum(sizes)


def fit(model, batches, loss_fn, optimizer, epochs, max_grad_norm=None, scheduler=None, on_epoch=None):
    means = []

    def goes_on(item):
        means.append(item[1])
        return not (on_epoch and on_epoch(*item))

    run = epochs_of(model, batches, loss_fn, optimizer, max_grad_norm, scheduler)
    for _ in takewhile(goes_on, islice(run, epochs)):
        pass
    return means

# caught by: test_two_spirals
"""Ends the run by itself once the loss hardly moves."""

import torch


def fit(model, batches, loss_fn, optimizer, epochs, max_grad_norm=None, scheduler=None, on_epoch=None):
    device = next(model.parameters()).device
    history = []
    for epoch in range(epochs):
        model.train()
        total, samples = 0.0, 0
        for x, y in batches:
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            if max_grad_norm is not None:
                torch.nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
            optimizer.step()
            total += loss.item() * len(x)
            samples += len(x)
        if samples == 0:
            raise ValueError("an epoch found no batches")
        history.append(total / samples)
        if scheduler is not None:
            scheduler.step()
        if epoch >= 10 and abs(history[-2] - history[-1]) < 1e-3:
            break
        if on_epoch is not None and on_epoch(epoch, history[-1]):
            break
    return history

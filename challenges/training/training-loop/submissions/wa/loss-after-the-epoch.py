# caught by: test_mean_loss[l1-6]
"""Measures the loss after training instead of the mean while training."""

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
        with torch.no_grad():
            again = [(loss_fn(model(a), b).item() * len(a), len(a)) for a, b in (batches if isinstance(batches, list) else [(x, y)])]
        history.append(sum(t for t, _ in again) / sum(n for _, n in again))
        if scheduler is not None:
            scheduler.step()
        if on_epoch is not None and on_epoch(epoch, history[-1]):
            break
    return history

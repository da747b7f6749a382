"""Training under a one-cycle schedule."""

import torch.nn.functional as F
from torch.optim.lr_scheduler import OneCycleLR


def train(model, optimizer, x, y, batch_size, epochs, max_lr, every=1):
    """One optimizer step for every `every` batches. Returns the rates that the steps used."""
    steps_per_epoch = len(x) // batch_size
    schedule = OneCycleLR(optimizer, max_lr=max_lr, epochs=epochs, steps_per_epoch=max(2, steps_per_epoch))
    batches = list(zip(x.split(batch_size), y.split(batch_size), strict=True))
    rates = []
    for _ in range(epochs):
        for start in range(0, len(batches), every):
            group = batches[start : start + every]
            optimizer.zero_grad()
            for x_batch, y_batch in group:
                (F.mse_loss(model(x_batch), y_batch) / len(group)).backward()
            rates.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
        schedule.step()
    return rates

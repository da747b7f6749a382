# caught by: test_accumulation[2]
"""Sizes the schedule for batches, where only every second one makes a step."""

import torch.nn.functional as F
from torch.optim.lr_scheduler import OneCycleLR


def train(model, optimizer, x, y, batch_size, epochs, max_lr, every=1):
    batches = list(zip(x.split(batch_size), y.split(batch_size)))
    groups = [batches[start : start + every] for start in range(0, len(batches), every)]
    schedule = OneCycleLR(optimizer, max_lr=max_lr, total_steps=epochs * len(batches))
    rates = []
    for _ in range(epochs):
        for group in groups:
            optimizer.zero_grad()
            for x_batch, y_batch in group:
                (F.mse_loss(model(x_batch), y_batch) / len(group)).backward()
            rates.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
            schedule.step()
    return rates

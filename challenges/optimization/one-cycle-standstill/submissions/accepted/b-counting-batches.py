"""Walks batches one by one; the number of steps by two divisions that round up, the rates from get_last_lr."""

import math

import torch


def train(model, optimizer, x, y, batch_size, epochs, max_lr, every=1):
    n_batches = math.ceil(len(x) / batch_size)
    per_epoch = -(-n_batches // every)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr, epochs=epochs, steps_per_epoch=per_epoch)
    loss_fn, rates = torch.nn.MSELoss(), []
    optimizer.zero_grad()
    for _ in range(epochs):
        for i in range(n_batches):
            first = i - i % every
            size = min(every, n_batches - first)
            rows = slice(i * batch_size, (i + 1) * batch_size)
            (loss_fn(model(x[rows]), y[rows]) / size).backward()
            if i + 1 == first + size:
                rates += schedule.get_last_lr()[:1]
                optimizer.step()
                optimizer.zero_grad()
                schedule.step()
    return rates

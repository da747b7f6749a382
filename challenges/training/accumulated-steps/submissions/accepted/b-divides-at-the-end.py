"""Sums of losses go backward; the gradients are divided by the number of samples when the group is complete."""

import torch


def train_accumulated(model, batches, optimizer, loss_fn, accum, max_grad_norm=None):
    if accum <= 0:
        raise ValueError(accum)
    parameters = list(model.parameters())
    means, total, samples, waiting = [], 0.0, 0, 0

    def finish():
        with torch.no_grad():
            for p in parameters:
                if p.grad is not None:
                    p.grad /= samples
        if max_grad_norm is not None:
            torch.nn.utils.clip_grad_norm_(parameters, max_grad_norm)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        means.append(total / samples)

    optimizer.zero_grad()
    for x, y in batches:
        n = x.shape[0]
        loss = loss_fn(model(x), y)
        (loss * n).backward()
        total, samples, waiting = total + float(loss.detach()) * n, samples + n, waiting + 1
        if waiting == accum:
            finish()
            total, samples, waiting = 0.0, 0, 0
    if waiting:
        finish()
    return means

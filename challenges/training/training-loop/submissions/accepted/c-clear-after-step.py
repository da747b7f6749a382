"""Gradients are cleared once at the start and then right after each step; clipping written by hand."""

import math


def clip(parameters, limit):
    gradients = [p.grad for p in parameters if p.grad is not None]
    norm = math.sqrt(sum(float(g.detach().double().pow(2).sum()) for g in gradients))
    if norm > limit:
        for g in gradients:
            g.mul_(limit / norm)


def fit(model, batches, loss_fn, optimizer, epochs, max_grad_norm=None, scheduler=None, on_epoch=None):
    parameters = list(model.parameters())
    device = parameters[0].device
    for parameter in parameters:
        parameter.grad = None
    history, epoch = [], 0
    while epoch < epochs:
        model.train()
        weighted = count = 0
        for x, y in iter(batches):
            loss = loss_fn(model(x.to(device)), y.to(device))
            loss.backward()
            if max_grad_norm is not None:
                clip(parameters, max_grad_norm)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            n = len(x)
            weighted, count = weighted + n * float(loss.detach()), count + n
        try:
            history.append(weighted / count)
        except ZeroDivisionError:
            raise ValueError("no batches to train on") from None
        if scheduler is not None:
            scheduler.step()
        if on_epoch is not None:
            stop = on_epoch(epoch, history[-1])
            if stop:
                break
        epoch += 1
    return history

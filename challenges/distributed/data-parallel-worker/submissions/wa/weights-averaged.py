# caught by: test_like_one_process[2-AdamW]
"""Averages weights after the step instead of gradients before it."""

import torch


def synchronize(model, group):
    for tensor in model.state_dict().values():
        group.broadcast(tensor, src=0)


def mean_over_ranks(tensor, group):
    group.all_reduce(tensor)
    return tensor.div_(group.world_size)


def worker(model, batches, loss_fn, optimizer, group, save):
    losses = []
    try:
        synchronize(model, group)
        for x, y in batches:
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            for tensor in model.parameters():
                mean_over_ranks(tensor.detach(), group)
            losses.append(mean_over_ranks(loss.detach(), group).item())
        if group.rank == 0:
            save(model.state_dict())
    finally:
        group.close()
    return losses

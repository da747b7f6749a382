"""Broadcast at the start, one all-reduce for each gradient, one checkpoint, and the group closed in a finally."""

import torch


def synchronize(model, group):
    for tensor in (*model.parameters(), *model.buffers()):
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
            for parameter in model.parameters():
                if parameter.requires_grad:
                    if parameter.grad is None:
                        parameter.grad = torch.zeros_like(parameter)
                    mean_over_ranks(parameter.grad, group)
            optimizer.step()
            losses.append(mean_over_ranks(loss.detach(), group).item())
        if group.rank == 0:
            save(model.state_dict())
    finally:
        group.close()
    return losses

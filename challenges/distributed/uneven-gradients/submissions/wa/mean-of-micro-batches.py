# caught by: test_uneven_micro_batches
"""Every micro-batch counts the same, however short it is."""

import torch


def exchange(model, examples, group):
    """Give every parameter the gradient of the mean over all examples of all ranks."""
    for parameter in model.parameters():
        if parameter.requires_grad:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            group.all_reduce(parameter.grad)
            parameter.grad /= examples


def train(model, steps, loss_fn, optimizer, group):
    losses = []
    for micro_batches in steps:
        optimizer.zero_grad()
        total = torch.zeros(2, dtype=torch.float64)  # the sum of the losses, the number of examples
        count = torch.tensor(float(len(micro_batches)))
        group.all_reduce(count)
        for x, y in micro_batches:
            mean = loss_fn(model(x), y)
            mean.backward()
            loss = mean.detach() * len(x)
            total += torch.tensor([loss.item(), len(x)], dtype=torch.float64)
        group.all_reduce(total)
        exchange(model, count.item(), group)
        optimizer.step()
        losses.append((total[0] / total[1]).item())
    return losses

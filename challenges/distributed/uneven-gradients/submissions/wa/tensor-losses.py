# caught by: test_losses[one-rank]
"""The log holds tensors."""

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
        for x, y in micro_batches:
            loss = loss_fn(model(x), y) * len(x)
            loss.backward()
            total += torch.tensor([loss.item(), len(x)], dtype=torch.float64)
        group.all_reduce(total)
        exchange(model, total[1].item(), group)
        optimizer.step()
        losses.append(total[0] / total[1])
    return losses

# caught by: test_one_exchange_a_step
"""Right in value: the gradient of each micro-batch is exchanged on its own, and added up afterwards."""

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
        longest = torch.zeros(group.world_size)
        longest[group.rank] = len(micro_batches)
        group.all_reduce(longest)
        summed = {}
        total = torch.zeros(2, dtype=torch.float64)  # the sum of the losses, the number of examples
        for turn in range(int(longest.max())):
            if turn < len(micro_batches):
                x, y = micro_batches[turn]
                loss = loss_fn(model(x), y) * len(x)
                loss.backward()
                total += torch.tensor([loss.item(), len(x)], dtype=torch.float64)
            exchange(model, 1, group)
            for name, parameter in model.named_parameters():
                if parameter.requires_grad:
                    summed[name] = summed.get(name, 0) + parameter.grad
            optimizer.zero_grad()
        group.all_reduce(total)
        for name, gradient in summed.items():
            model.get_parameter(name).grad = gradient / total[1].item()
        optimizer.step()
        losses.append((total[0] / total[1]).item())
    return losses

"""What one rank of a data-parallel training runs. It is right on one device, as long as all micro-batches are equally large."""


def exchange(model, group):
    """Share the gradients of this rank with the others."""
    for parameter in model.parameters():
        if parameter.grad is not None:
            group.all_reduce(parameter.grad)


def train(model, steps, loss_fn, optimizer, group):
    """Run the steps; each is a list of micro-batches (x, y). Returns the loss of each step."""
    losses = []
    for micro_batches in steps:
        optimizer.zero_grad()
        total = 0.0
        for x, y in micro_batches:
            loss = loss_fn(model(x), y) / len(micro_batches)
            loss.backward()
            exchange(model, group)
            total = total + loss.detach()
        group.all_reduce(total)
        optimizer.step()
        losses.append(total.item())
    return losses

"""One vector holds all gradients and the loss, so that each step has a single all-reduce."""

import contextlib

import torch


@torch.no_grad()
def adopt(model, group):
    for tensor in [*model.parameters(), *model.buffers()]:
        received = tensor.detach().clone()
        group.broadcast(received, 0)
        tensor.copy_(received)


@torch.no_grad()
def share(parameters, loss, group):
    pieces = [p.new_zeros(p.numel()) if p.grad is None else p.grad.reshape(-1) for p in parameters]
    bucket = torch.cat([*pieces, loss.detach().reshape(1)]) / group.world_size
    group.all_reduce(bucket)
    for parameter, piece in zip(parameters, bucket.split([len(piece) for piece in pieces] + [1])):
        parameter.grad = piece.view_as(parameter)
    return float(bucket[-1])


def worker(model, batches, loss_fn, optimizer, group, save):
    with contextlib.ExitStack() as stack:
        stack.callback(group.close)
        adopt(model, group)
        trained = [p for p in model.parameters() if p.requires_grad]
        history = []
        for x, y in batches:
            for parameter in trained:
                parameter.grad = None
            loss = loss_fn(model(x), y)
            loss.backward()
            history.append(share(trained, loss, group))
            optimizer.step()
        if not group.rank:
            save({name: value.clone() for name, value in model.state_dict().items()})
        return history

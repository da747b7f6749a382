"""The forward part is a function of its own, decorated with autocast; gradients are set by hand."""

import contextlib

import torch


def block(device_type, dtype):
    if dtype == torch.float32:
        return contextlib.nullcontext()
    return torch.amp.autocast(device_type=device_type, dtype=dtype)


def amp_step(model, batch, loss_fn, optimizer, device_type, dtype):
    def objective():
        with block(device_type, dtype):
            return loss_fn(model(batch[0]), batch[1])

    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    value = objective()
    gradients = torch.autograd.grad(value, parameters, allow_unused=True)
    for parameter, gradient in zip(parameters, gradients):
        parameter.grad = gradient
    optimizer.step()
    return float(value.detach())

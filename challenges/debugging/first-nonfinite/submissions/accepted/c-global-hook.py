"""One hook for all modules of the process, a context manager for what must be put back."""

from contextlib import contextmanager

import torch
from torch.nn.modules.module import register_module_forward_hook


def is_bad(value):
    match value:
        case torch.Tensor():
            return value.is_floating_point() and (torch.isnan(value) | torch.isinf(value)).any().item()
        case dict():
            return any(map(is_bad, value.values()))
        case list() | tuple():
            return any(map(is_bad, value))
    return False


@contextmanager
def untouched(model):
    saved = {name: buffer.clone() for name, buffer in model.named_buffers()}
    random = torch.get_rng_state()
    try:
        yield
    finally:
        torch.set_rng_state(random)
        for name, buffer in model.named_buffers():
            buffer.data.copy_(saved[name])


@contextmanager
def watched(model, log):
    names = {id(module): name for name, module in model.named_modules()}

    def hook(module, inputs, output):
        if id(module) in names:
            log.append((names[id(module)], is_bad(output)))

    handle = register_module_forward_hook(hook)
    try:
        yield
    finally:
        handle.remove()


@torch.enable_grad()
def first_nonfinite(model, batch, loss_fn):
    x, y = batch
    if is_bad(x):
        return "input:x"
    if is_bad(y):
        return "input:y"
    parameters = dict(model.named_parameters())
    for name, p in parameters.items():
        if is_bad(p):
            return "parameter:" + name
    log = []
    with untouched(model), watched(model, log):
        loss = loss_fn(model(x), y)
        for name, wrong in log:
            if wrong:
                return "output:" + name
        if is_bad(loss):
            return "loss"
        trained = {name: p for name, p in parameters.items() if p.requires_grad}
        if not trained or loss.grad_fn is None:
            return ""
        found = torch.autograd.grad(loss, list(trained.values()), allow_unused=True)
    for name, gradient in zip(reversed(trained), reversed(found)):
        if is_bad(gradient):
            return "gradient:" + name
    return ""

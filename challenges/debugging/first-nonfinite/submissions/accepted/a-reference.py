"""Forward hooks that look at once, gradients from autograd.grad, and everything put back in the end."""

import torch
from torch import Tensor, nn


def tensors(tree):
    if isinstance(tree, Tensor):
        yield tree
    elif isinstance(tree, dict):
        for item in tree.values():
            yield from tensors(item)
    elif isinstance(tree, (list, tuple)):
        for item in tree:
            yield from tensors(item)


def bad(tree) -> bool:
    return any(not bool(torch.isfinite(t).all()) for t in tensors(tree))


def first_nonfinite(model: nn.Module, batch: tuple[Tensor, Tensor], loss_fn) -> str:
    x, y = batch
    for name, tensor in (("x", x), ("y", y)):
        if bad(tensor):
            return f"input:{name}"
    for name, parameter in model.named_parameters():
        if bad(parameter):
            return f"parameter:{name}"
    found: list[str] = []

    def look(name):
        def hook(module, inputs, output):
            if not found and bad(output):
                found.append(f"output:{name}")

        return hook

    handles = []
    buffers = [(buffer, buffer.clone()) for buffer in model.buffers()]
    try:
        for name, module in model.named_modules():
            handles.append(module.register_forward_hook(look(name)))
        with torch.random.fork_rng(), torch.enable_grad():
            loss = loss_fn(model(x), y)
            if found:
                return found[0]
            if bad(loss):
                return "loss"
            named = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
            if not loss.requires_grad or not named:
                return ""
            gradients = torch.autograd.grad(loss, [p for _, p in named], allow_unused=True)
    finally:
        for handle in handles:
            handle.remove()
        for buffer, value in buffers:
            buffer.copy_(value)
    for (name, _), gradient in reversed(list(zip(named, gradients))):  # noqa: B905 - one gradient for each
        if bad(gradient):
            return f"gradient:{name}"
    return ""

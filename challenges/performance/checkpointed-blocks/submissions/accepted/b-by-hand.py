"""A Function of our own: forward without a graph, backward runs the segment again with one."""

import torch


class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, segment, x, *parameters):
        ctx.segment, ctx.random = segment, torch.get_rng_state()
        ctx.cast = torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")
        ctx.save_for_backward(x, *parameters)
        for block in segment:
            x = block(x)
        return x

    @staticmethod
    def backward(ctx, gradient):
        x, *parameters = ctx.saved_tensors
        x = x.detach().requires_grad_(ctx.needs_input_grad[1])
        enabled, dtype = ctx.cast
        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            torch.set_rng_state(ctx.random)
            with torch.autocast("cpu", dtype=dtype, enabled=enabled):
                y = x
                for block in ctx.segment:
                    y = block(y)
        inputs = [t for t in (x, *parameters) if t.requires_grad]
        found = iter(torch.autograd.grad(y, inputs, gradient))
        return None, *(next(found) if t.requires_grad else None for t in (x, *parameters))


def checkpointed(blocks, x, every):
    if every < 1:
        raise ValueError(f"a segment has at least one block, not {every}")
    rest = list(blocks)
    while rest:
        segment, rest = rest[:every], rest[every:]
        parameters = [p for block in segment for p in block.parameters()]
        x = Again.apply(segment, x, *parameters)
    return x

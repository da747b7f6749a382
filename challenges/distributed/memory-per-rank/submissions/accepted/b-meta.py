"""Asks torch: tensors on the meta device are cut and counted without any memory."""

import torch

SHARDED = {
    "replicated": set(),
    "zero1": {"states"},
    "zero2": {"states", "gradients"},
    "full": {"states", "gradients", "weights"},
}


def bytes_per_rank(shapes, rank, world, layout, states=2, itemsize=4):
    if layout not in SHARDED or rank not in range(world):
        raise ValueError("no such layout or rank")
    counts = {"weights": 0, "gradients": 0, "states": 0}
    for shape in shapes:
        parameter = torch.empty(shape, device="meta")
        chunks = parameter.chunk(world)
        mine = chunks[rank].numel() if rank < len(chunks) else 0
        for name in counts:
            counts[name] += mine if name in SHARDED[layout] else parameter.numel()
    counts["states"] *= states
    return {name: count * itemsize for name, count in counts.items()}

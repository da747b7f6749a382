"""Rows of a rank by arithmetic; the layouts are ordered by how much they divide."""

import math

LAYOUTS = ("replicated", "zero1", "zero2", "full")


def rows_of(rank, world, rows):
    size = math.ceil(rows / world)
    return max(0, min(size, rows - rank * size))


def bytes_per_rank(shapes, rank, world, layout, states=2, itemsize=4):
    if layout not in LAYOUTS:
        raise ValueError(f"unknown layout {layout!r}")
    if rank < 0 or rank >= world:
        raise ValueError(f"rank {rank} of {world}")
    divided = LAYOUTS.index(layout)
    whole = sum(math.prod(shape) for shape in shapes)
    part = sum(rows_of(rank, world, shape[0]) * math.prod(shape[1:]) for shape in shapes)
    return {
        "weights": itemsize * (part if divided > 2 else whole),
        "gradients": itemsize * (part if divided > 1 else whole),
        "states": itemsize * states * (part if divided > 0 else whole),
    }

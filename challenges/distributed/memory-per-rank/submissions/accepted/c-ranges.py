"""Slices a range of row numbers, and matches the layout."""

from functools import reduce
from operator import mul


def bytes_per_rank(shapes, rank, world, layout, states=2, itemsize=4):
    if not 0 <= rank < world:
        raise ValueError("rank")
    whole = part = 0
    for rows, *others in shapes:
        row = reduce(mul, others, itemsize)
        step = (rows + world - 1) // world
        whole += rows * row
        part += len(range(rows)[rank * step : (rank + 1) * step]) * row
    match layout:
        case "replicated":
            held = whole, whole, whole
        case "zero1":
            held = whole, whole, part
        case "zero2":
            held = whole, part, part
        case "full":
            held = part, part, part
        case _:
            raise ValueError("layout")
    return dict(zip(("weights", "gradients", "states"), (held[0], held[1], held[2] * states), strict=True))

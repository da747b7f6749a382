"""Two shapes at a time, folded and recursive."""

from functools import reduce


def pair(a: tuple, b: tuple) -> tuple:
    if not a or not b:
        return a or b
    *rest_a, m = a
    *rest_b, n = b
    if m != n and 1 not in (m, n):
        raise ValueError("conflict")
    return (*pair(tuple(rest_a), tuple(rest_b)), n if m == 1 else m)


def broadcast_shape(*shapes):
    if any(size < 0 for shape in shapes for size in shape):
        raise ValueError("negative")
    return reduce(pair, (tuple(shape) for shape in shapes), ())


def summed_dims(shape, out):
    found = []
    for back in range(1, len(out) + 1):
        if back > len(shape) or (shape[-back] == 1 and out[-back] != 1):
            found.insert(0, len(out) - back)
    return tuple(found)

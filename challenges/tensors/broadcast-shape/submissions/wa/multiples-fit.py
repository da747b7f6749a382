# caught by: test_no_multiples
"""A smaller size that divides the larger one is tiled."""

from collections.abc import Sequence


def broadcast_shape(*shapes: Sequence[int]) -> tuple[int, ...]:
    rank = max((len(shape) for shape in shapes), default=0)
    result = [1] * rank
    for shape in shapes:
        for place, size in enumerate(shape, start=rank - len(shape)):
            if size < 0:
                raise ValueError(f"negative size {size}")
            small, large = sorted((size, result[place]))
            if small == 0 and large > 1 or small > 0 and large % small:
                raise ValueError("conflict")
            result[place] = large if small else 0
    return tuple(result)


def summed_dims(shape: Sequence[int], out: Sequence[int]) -> tuple[int, ...]:
    added = len(out) - len(shape)
    stretched = (added + d for d, size in enumerate(shape) if size == 1 and out[added + d] != 1)
    return (*range(added), *stretched)

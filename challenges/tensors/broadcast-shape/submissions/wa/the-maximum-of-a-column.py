# caught by: test_size_zero
"""The maximum of each column, checked against 1: wrong for 0."""

from collections.abc import Sequence


def broadcast_shape(*shapes: Sequence[int]) -> tuple[int, ...]:
    rank = max((len(shape) for shape in shapes), default=0)
    result = [1] * rank
    for shape in shapes:
        for place, size in enumerate(shape, start=rank - len(shape)):
            if size < 0:
                raise ValueError(f"negative size {size}")
            if size > 1 and result[place] > 1 and size != result[place]:
                raise ValueError("conflict")
            result[place] = max(size, result[place])
    return tuple(result)


def summed_dims(shape: Sequence[int], out: Sequence[int]) -> tuple[int, ...]:
    added = len(out) - len(shape)
    stretched = (added + d for d, size in enumerate(shape) if size == 1 and out[added + d] != 1)
    return (*range(added), *stretched)

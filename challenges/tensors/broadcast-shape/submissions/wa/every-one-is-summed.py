# caught by: test_ones_that_stay_one
"""A 1 that stays 1 is summed as well."""

from collections.abc import Sequence


def broadcast_shape(*shapes: Sequence[int]) -> tuple[int, ...]:
    rank = max((len(shape) for shape in shapes), default=0)
    result = [1] * rank
    for shape in shapes:
        for place, size in enumerate(shape, start=rank - len(shape)):
            if size < 0:
                raise ValueError(f"negative size {size}")
            if size == 1 or size == result[place]:
                continue
            if result[place] != 1:
                raise ValueError(f"sizes {result[place]} and {size} do not fit in dimension {place}")
            result[place] = size
    return tuple(result)


def summed_dims(shape: Sequence[int], out: Sequence[int]) -> tuple[int, ...]:
    added = len(out) - len(shape)
    stretched = (added + d for d, size in enumerate(shape) if size == 1)
    return (*range(added), *stretched)

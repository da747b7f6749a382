# caught by: test_negative_sizes[with-a-one]
"""Sizes are taken as they are."""

from collections.abc import Sequence


def broadcast_shape(*shapes: Sequence[int]) -> tuple[int, ...]:
    rank = max((len(shape) for shape in shapes), default=0)
    result = [1] * rank
    for shape in shapes:
        for place, size in enumerate(shape, start=rank - len(shape)):
            if size == 1 or size == result[place]:
                continue
            if result[place] != 1:
                raise ValueError(f"sizes {result[place]} and {size} do not fit in dimension {place}")
            result[place] = size
    return tuple(result)


def summed_dims(shape: Sequence[int], out: Sequence[int]) -> tuple[int, ...]:
    added = len(out) - len(shape)
    stretched = (added + d for d, size in enumerate(shape) if size == 1 and out[added + d] != 1)
    return (*range(added), *stretched)

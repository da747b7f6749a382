# caught by: test_a_conflict_behind_a_one
"""Each shape is compared with the one before it only."""

from collections.abc import Sequence


def broadcast_shape(*shapes: Sequence[int]) -> tuple[int, ...]:
    rank = max((len(shape) for shape in shapes), default=0)
    result = [1] * rank
    for number, shape in enumerate(shapes):
        before = [1] * (rank - len(shapes[number - 1])) + list(shapes[number - 1])
        for place, size in enumerate(shape, start=rank - len(shape)):
            if size < 0:
                raise ValueError(f"negative size {size}")
            if number and 1 not in (size, before[place]) and size != before[place]:
                raise ValueError("conflict")
            if size != 1:
                result[place] = size
    return tuple(result)


def summed_dims(shape: Sequence[int], out: Sequence[int]) -> tuple[int, ...]:
    added = len(out) - len(shape)
    stretched = (added + d for d, size in enumerate(shape) if size == 1 and out[added + d] != 1)
    return (*range(added), *stretched)

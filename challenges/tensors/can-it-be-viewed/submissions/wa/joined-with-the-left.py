# caught by: test_views_at_random[permuted]
"""The condition of joining is turned round: the inner stride is the outer one times the outer size."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor


def contiguous_stride(shape: Sequence[int]) -> tuple[int, ...]:
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def blocks(shape: Sequence[int], stride: Sequence[int]) -> list[int]:
    """The sizes of the maximal blocks, from the right."""
    sizes: list[int] = []
    expected = None  # the stride with which the next dimension would join the block
    for size, step in zip(shape, stride, strict=True):
        if size == 1:
            continue
        if step == expected:
            sizes[-1] *= size
        else:
            sizes.append(size)
        expected = step * size
    return sizes


def can_view(shape: Sequence[int], stride: Sequence[int], new_shape: Sequence[int]) -> bool:
    if math.prod(shape) != math.prod(new_shape):
        return False
    if math.prod(shape) == 0:
        return True
    wanted = [size for size in new_shape if size != 1]
    for block in blocks(shape, stride):
        have = 1
        while have < block and wanted:
            have *= wanted.pop(0)
        if have != block:
            return False
    return True


def to_channels_last(x: Tensor) -> Tensor:
    return x.contiguous(memory_format=torch.channels_last)

"""A generator with try and finally, and an explicit dtype."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor


@contextmanager
def default_dtype(dt: torch.dtype) -> Iterator[None]:
    """Inside the block the default dtype is dt."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dt)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def mean_of(values: list) -> Tensor:
    """The mean of a list of numbers, in double precision."""
    if not values:
        raise ValueError("the mean of no values")
    return torch.tensor(values, dtype=torch.float64).mean()

"""Helpers for work in double precision. Something is wrong with them: see the statement."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor


@contextmanager
def default_dtype(dt: torch.dtype) -> Iterator[None]:
    """Inside the block the default dtype is dt."""
    torch.set_default_dtype(dt)
    yield
    torch.set_default_dtype(torch.float32)


def mean_of(values: list) -> Tensor:
    """The mean of a list of numbers, in double precision."""
    torch.set_default_dtype(torch.float64)
    if not values:
        raise ValueError("the mean of no values")
    return torch.tensor(values).mean()

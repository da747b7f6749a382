"""All-reduce on a ring: the program of one device."""

from collections.abc import Generator

from torch import Tensor


def all_reduce(rank: int, size: int, x: Tensor) -> Generator[Tensor, Tensor, Tensor]:
    """`received = yield sent` exchanges with the neighbours; the return value is the sum."""
    raise NotImplementedError
    yield

"""Provides random data for hidden tests. The data depends only on the judging's secret seed and the test's id."""

import hashlib
from collections.abc import Callable, Sequence
from typing import TypeVar

import torch
from torch import Tensor

T = TypeVar("T")


class Rng:
    """The fixture `rng`. It has its own random number generator, and neither uses nor changes torch's global one. All tensors
    that it returns are on the CPU.
    """

    def __init__(self, seed: int, test_id: str) -> None:
        """Create the fixture for a test. `test_id` is pytest's node id without the file's path, so the data stays the same if
        the folder is renamed.
        """
        mixed = hashlib.sha256(f"{seed}\0{test_id}".encode()).digest()
        self._generator = torch.Generator().manual_seed(int.from_bytes(mixed[:8], "big") >> 1)

    def randn(self, *shape: int | Sequence[int], dtype: torch.dtype = torch.float32) -> Tensor:
        """Draw standard normal values of any floating-point or complex dtype."""
        return self._drawn(torch.randn, shape, dtype)

    def rand(self, *shape: int | Sequence[int], dtype: torch.dtype = torch.float32) -> Tensor:
        """Draw uniform values in [0, 1) of any floating-point or complex dtype."""
        return self._drawn(torch.rand, shape, dtype)

    def randint(self, low: int, high: int, shape: int | Sequence[int]) -> Tensor:
        """Draw an int64 tensor of whole numbers in [low, high)."""
        if low >= high:
            raise ValueError("randint: low must be below high, which is exclusive")
        return torch.randint(low, high, _shape((shape,)), generator=self._generator)

    def integer(self, low: int, high: int) -> int:
        """Draw one whole number in [low, high)."""
        return int(self.randint(low, high, ()))

    def uniform(self, low: float, high: float) -> float:
        """Draw one number that is uniformly distributed between low and high."""
        if not low <= high:
            raise ValueError("uniform: low must not be above high")
        return low + (high - low) * float(self.rand((), dtype=torch.float64))

    def choice(self, sequence: Sequence[T]) -> T:
        """Choose one of the items."""
        if not sequence:
            raise ValueError("choice: the sequence is empty")
        return sequence[self.integer(0, len(sequence))]

    def permutation(self, n: int) -> Tensor:
        """Return an int64 tensor of the numbers 0 to n - 1 in random order."""
        return torch.randperm(n, generator=self._generator)

    def mask(self, *shape: int | Sequence[int], p: float = 0.5) -> Tensor:
        """Draw a bool tensor. Each of its elements is True with probability p."""
        if not 0 <= p <= 1:
            raise ValueError("mask: p is a probability between 0 and 1")
        return self.rand(*shape, dtype=torch.float64) < p

    def seed(self) -> int:
        """Draw a seed for torch.manual_seed."""
        return self.integer(0, 2**31)

    def _drawn(self, draw: Callable[..., Tensor], shape: tuple[int | Sequence[int], ...], dtype: torch.dtype) -> Tensor:
        if not (dtype.is_floating_point or dtype.is_complex):
            raise ValueError(f"{dtype} holds no fractions: use randint() or mask()")
        # The values are drawn in double precision and then rounded, so that every floating-point dtype works, even float8.
        wide = torch.complex128 if dtype.is_complex else torch.float64
        return draw(_shape(shape), dtype=wide, generator=self._generator).to(dtype)


def _shape(sizes: tuple[int | Sequence[int], ...]) -> tuple[int, ...]:
    """Return the shape that a caller passed, either as separate sizes such as (2, 3) or as one sequence such as ((2, 3),)."""
    if len(sizes) == 1 and not isinstance(sizes[0], int):
        return tuple(sizes[0])
    return tuple(size for size in sizes if isinstance(size, int))

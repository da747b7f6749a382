"""A paged cache of keys and values."""

import torch
from torch import Tensor


class PagedCache:
    """Sequences whose tokens lie in blocks of one pool, shared until somebody writes."""

    def __init__(
        self, num_blocks: int, block_size: int, heads: int, dim: int, dtype: torch.dtype = torch.float32
    ) -> None:
        raise NotImplementedError

    def new(self) -> int:
        """Begin an empty sequence."""
        raise NotImplementedError

    def append(self, seq: int, k: Tensor, v: Tensor) -> None:
        """Add tokens (T, heads, dim) to a sequence."""
        raise NotImplementedError

    def fork(self, seq: int) -> int:
        """Begin a sequence that holds the blocks of another one."""
        raise NotImplementedError

    def free(self, seq: int) -> None:
        """End a sequence."""
        raise NotImplementedError

    def gather(self, seq: int) -> tuple[Tensor, Tensor]:
        """Return the keys and the values of a sequence, (L, heads, dim) each."""
        raise NotImplementedError

    def table(self, seq: int) -> list[int]:
        """Return the numbers of the blocks of a sequence, in the order of its tokens."""
        raise NotImplementedError

    def counts(self) -> list[int]:
        """Return how many sequences hold each block."""
        raise NotImplementedError

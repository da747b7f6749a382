"""Batches of similar length within a budget of padded tokens."""

from collections.abc import Iterator

import torch
from torch import Tensor


class BucketBatchSampler:
    """Gives lists of indices; samples times longest length is at most max_tokens."""

    def __init__(
        self,
        lengths: list[int] | Tensor,
        max_tokens: int,
        shuffle: bool = False,
        generator: torch.Generator | None = None,
    ) -> None:
        raise NotImplementedError

    def __len__(self) -> int:
        """Return the number of batches of a pass."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[list[int]]:
        """Begin a new pass."""
        raise NotImplementedError

"""The core of a data loader."""

from collections.abc import Callable, Iterator
from typing import Any

import torch


class MiniLoader:
    """Goes through a dataset in batches."""

    def __init__(
        self,
        dataset,
        batch_size: int = 1,
        shuffle: bool = False,
        drop_last: bool = False,
        collate_fn: Callable[[list], Any] | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Any]:
        """The batches of one pass."""
        raise NotImplementedError

    def __len__(self) -> int:
        """The number of batches of a pass."""
        raise NotImplementedError

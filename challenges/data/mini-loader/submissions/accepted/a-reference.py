"""A generator function holds the state of a pass; merging is recursive."""

from collections.abc import Callable, Iterator
from typing import Any

import torch


def merged(samples: list) -> Any:
    first = samples[0]
    if isinstance(first, torch.Tensor):
        return torch.stack(samples)
    if isinstance(first, dict):
        return {key: merged([sample[key] for sample in samples]) for key in first}
    if isinstance(first, tuple | list):
        return [merged(list(values)) for values in zip(*samples, strict=True)]
    if isinstance(first, float):
        return torch.tensor(samples, dtype=torch.float64)
    if isinstance(first, int):
        return torch.tensor(samples)
    return samples


class MiniLoader:
    def __init__(
        self,
        dataset,
        batch_size: int = 1,
        shuffle: bool = False,
        drop_last: bool = False,
        collate_fn: Callable[[list], Any] | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        if batch_size < 1:
            raise ValueError(f"batch_size must be at least 1, got {batch_size}")
        self.dataset = dataset
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.drop_last = drop_last
        self.collate_fn = collate_fn or merged
        self.generator = generator

    def order(self) -> list[int]:
        if self.shuffle:
            return torch.randperm(len(self.dataset), generator=self.generator).tolist()
        return list(range(len(self.dataset)))

    def __iter__(self) -> Iterator[Any]:
        order = self.order()
        for start in range(0, len(order), self.batch_size):
            indices = order[start : start + self.batch_size]
            if self.drop_last and len(indices) < self.batch_size:
                return
            yield self.collate_fn([self.dataset[i] for i in indices])

    def __len__(self) -> int:
        whole, rest = divmod(len(self.dataset), self.batch_size)
        return whole if self.drop_last or not rest else whole + 1

"""Stable sorting of a random order, a greedy cut, and a second shuffle."""

from collections.abc import Iterable, Iterator

import torch
from torch import Tensor


class BucketBatchSampler:
    def __init__(
        self,
        lengths: list[int] | Tensor,
        max_tokens: int,
        shuffle: bool = False,
        generator: torch.Generator | None = None,
    ) -> None:
        self.lengths = [int(n) for n in lengths]
        self.max_tokens, self.shuffle, self.generator = max_tokens, shuffle, generator
        if any(n > max_tokens for n in self.lengths):
            raise ValueError("a sample is longer than the budget")
        if shuffle and generator is None:
            raise ValueError("shuffling needs a generator")
        self.count = len(self.cut(range(len(self.lengths))))

    def cut(self, order: Iterable[int]) -> list[list[int]]:
        batches: list[list[int]] = []
        for i in sorted(order, key=self.lengths.__getitem__):
            if not batches or (len(batches[-1]) + 1) * self.lengths[i] > self.max_tokens:
                batches.append([])
            batches[-1].append(i)
        return batches

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[list[int]]:
        if not self.shuffle:
            return iter(self.cut(range(len(self.lengths))))
        batches = self.cut(torch.randperm(len(self.lengths), generator=self.generator).tolist())
        mix = torch.randperm(len(batches), generator=self.generator).tolist()
        return iter([batches[j] for j in mix])

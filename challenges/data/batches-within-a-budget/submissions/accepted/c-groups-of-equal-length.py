"""Samples are kept in groups of equal length, and each group is shuffled by itself."""

from collections import defaultdict

import torch


class BucketBatchSampler:
    def __init__(self, lengths, max_tokens, shuffle=False, generator=None):
        if shuffle and generator is None:
            raise ValueError("generator")
        self.groups = defaultdict(list)
        for i, n in enumerate(torch.as_tensor(lengths).tolist()):
            if n > max_tokens:
                raise ValueError(f"sample {i} does not fit")
            self.groups[int(n)].append(i)
        self.budget, self.shuffle, self.generator = max_tokens, shuffle, generator

    def mixed(self, items):
        if not self.shuffle:
            return list(items)
        return [items[k] for k in torch.randperm(len(items), generator=self.generator).tolist()]

    def batches(self, arrange):
        batch = []
        for n in sorted(self.groups):
            for i in arrange(self.groups[n]):
                if batch and (len(batch) + 1) * n > self.budget:
                    yield batch
                    batch = []
                batch = [*batch, i]
        if batch:
            yield batch

    def __len__(self):
        return sum(1 for _ in self.batches(list))

    def __iter__(self):
        yield from self.mixed(list(self.batches(self.mixed)))

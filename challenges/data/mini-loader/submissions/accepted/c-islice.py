"""An iterator of indices, from which batches are taken until nothing is left."""

from itertools import islice
from math import ceil, floor

import torch


def stack_up(samples):
    match samples[0]:
        case torch.Tensor():
            return torch.stack(list(samples))
        case dict():
            return {k: stack_up([s[k] for s in samples]) for k in samples[0].keys()}
        case tuple() | list():
            return list(map(stack_up, zip(*samples, strict=True)))
        case str():
            return list(samples)
        case float():
            return torch.tensor(list(samples), dtype=torch.double)
        case _:
            return torch.tensor(list(samples))


class MiniLoader:
    def __init__(self, dataset, batch_size=1, shuffle=False, drop_last=False, collate_fn=None, generator=None):
        if not batch_size >= 1:
            raise ValueError("a batch has at least one sample")
        self.options = dataset, batch_size, shuffle, drop_last, collate_fn, generator

    def __iter__(self):
        dataset, size, shuffle, drop_last, collate_fn, generator = self.options
        indices = range(len(dataset))
        if shuffle:
            indices = torch.randperm(len(dataset), generator=generator).tolist()
        left = iter(indices)
        while chunk := list(islice(left, size)):
            if drop_last and len(chunk) != size:
                break
            samples = [dataset[i] for i in chunk]
            yield stack_up(samples) if collate_fn is None else collate_fn(samples)

    def __len__(self):
        dataset, size, _, drop_last, *_ = self.options
        return (floor if drop_last else ceil)(len(dataset) / size)

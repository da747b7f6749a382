# caught by: test_random_training_fixed_validation[fifth]
"""Transforms all items once, in the constructor."""

import torch
from torch.utils.data import Dataset


class TransformedSubset(Dataset):
    """Some items of a dataset, with a transform."""

    def __init__(self, dataset, indices, transform=None):
        self.dataset = dataset
        self.indices = indices
        self.items = [dataset[int(i)] for i in indices]
        if transform is not None:
            self.items = [(transform(x.clone()), y) for x, y in self.items]

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, i):
        return self.items[i]


def split_for_training(dataset, share, augment, generator):
    """Return (train, validation); `share` of the items is for validation."""
    count = round(share * len(dataset))
    order = torch.randperm(len(dataset), generator=generator)
    return TransformedSubset(dataset, order[count:], augment), TransformedSubset(dataset, order[:count])

# caught by: test_random_training_fixed_validation[third]
"""Rounds the number of validation items up."""

import torch
from torch.utils.data import Dataset


class TransformedSubset(Dataset):
    """Some items of a dataset, with a transform."""

    def __init__(self, dataset, indices, transform=None):
        self.dataset = dataset
        self.indices = indices
        self.transform = transform

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, i):
        x, y = self.dataset[int(self.indices[i])]
        if self.transform is not None:
            x = self.transform(x.clone())
        return x, y


def split_for_training(dataset, share, augment, generator):
    """Return (train, validation); `share` of the items is for validation."""
    count = -int(-share * len(dataset) // 1)
    order = torch.randperm(len(dataset), generator=generator)
    return TransformedSubset(dataset, order[count:], augment), TransformedSubset(dataset, order[:count])

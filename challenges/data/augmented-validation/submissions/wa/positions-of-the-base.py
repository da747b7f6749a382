# caught by: test_positions[-1-4]
"""Reads item i of the base for position -1."""

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
        x, y = self.dataset[int(self.indices[i]) if i >= 0 else i]
        if self.transform is not None:
            x = self.transform(x.clone())
        return x, y


def split_for_training(dataset, share, augment, generator):
    """Return (train, validation); `share` of the items is for validation."""
    count = round(share * len(dataset))
    order = torch.randperm(len(dataset), generator=generator)
    return TransformedSubset(dataset, order[count:], augment), TransformedSubset(dataset, order[:count])

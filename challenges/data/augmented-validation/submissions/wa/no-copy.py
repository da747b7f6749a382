# caught by: test_stored_data_stay
"""The transform writes into what the base stores."""

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
            x = self.transform(x)
        return x, y


def split_for_training(dataset, share, augment, generator):
    """Return (train, validation); `share` of the items is for validation."""
    count = round(share * len(dataset))
    order = torch.randperm(len(dataset), generator=generator)
    return TransformedSubset(dataset, order[count:], augment), TransformedSubset(dataset, order[:count])

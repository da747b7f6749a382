"""Derived from torch's Subset; the split by random_split, with counts."""

from torch.utils.data import Subset, random_split


class TransformedSubset(Subset):
    def __init__(self, dataset, indices, transform=None):
        super().__init__(dataset, [int(i) for i in indices])
        self.transform = transform

    def __getitem__(self, i):
        x, y = super().__getitem__(i)
        return (x if self.transform is None else self.transform(x.clone())), y

    def __getitems__(self, positions):
        return [self[i] for i in positions]


def split_for_training(dataset, share, augment, generator):
    count = round(share * len(dataset))
    validation, train = random_split(dataset, [count, len(dataset) - count], generator=generator)
    return (
        TransformedSubset(dataset, train.indices, augment),
        TransformedSubset(dataset, validation.indices),
    )

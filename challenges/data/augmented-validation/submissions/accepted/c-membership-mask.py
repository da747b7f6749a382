"""Who is in validation is a mask; always copies."""

import torch
from torch.utils.data import Dataset


class TransformedSubset(Dataset):
    def __init__(self, dataset, indices, transform=None):
        self._base = dataset
        self._where = tuple(map(int, indices))
        self._transform = transform or (lambda x: x)

    def __len__(self):
        return len(self._where)

    def __getitem__(self, i):
        x, *rest = self._base[self._where[i]]
        return (self._transform(torch.clone(x)), *rest)


def split_for_training(dataset, share, augment, generator):
    n = len(dataset)
    held_out = torch.zeros(n, dtype=torch.bool)
    held_out[torch.rand(n, generator=generator).argsort()[: round(n * share)]] = True
    parts = [mask.nonzero().flatten().tolist() for mask in (~held_out, held_out)]
    return TransformedSubset(dataset, parts[0], augment), TransformedSubset(dataset, parts[1], None)

"""A pass is an object with its own position; merging by a table of types."""

import torch


class Pass:
    def __init__(self, loader, indices):
        self.loader = loader
        self.batches = iter([indices[k * loader.size : (k + 1) * loader.size] for k in range(len(loader))])

    def __iter__(self):
        return self

    def __next__(self):
        samples = [self.loader.dataset[i] for i in next(self.batches)]
        return self.loader.collate(samples)


def collate(samples):
    kind = type(samples[0])
    if issubclass(kind, dict):
        return dict((key, collate([s[key] for s in samples])) for key in samples[0])
    if issubclass(kind, (tuple, list)):
        return [collate([s[j] for s in samples]) for j in range(len(samples[0]))]
    if kind is str:
        return list(samples)
    dtypes = {bool: torch.bool, int: torch.int64, float: torch.float64}
    return torch.tensor(samples, dtype=dtypes[kind]) if kind in dtypes else torch.stack(samples, dim=0)


class MiniLoader:
    def __init__(self, dataset, batch_size=1, shuffle=False, drop_last=False, collate_fn=None, generator=None):
        if batch_size <= 0:
            raise ValueError("batch_size")
        self.dataset, self.size, self.shuffle, self.drop_last = dataset, batch_size, shuffle, drop_last
        self.collate = collate if collate_fn is None else collate_fn
        self.generator = generator

    def __iter__(self):
        n = len(self.dataset)
        order = torch.randperm(n, generator=self.generator) if self.shuffle else torch.arange(n)
        return Pass(self, order.tolist())

    def __len__(self):
        n = len(self.dataset)
        return n // self.size if self.drop_last else (n + self.size - 1) // self.size

"""A sampler is chosen explicitly, and a first loader counts the batches."""

from torch.utils.data import DataLoader, RandomSampler, SequentialSampler

PINNED = {"cpu": False, "cuda": True, "xpu": True, "mps": False}


def build_loader(dataset, batch_size, device_type, cpu_count, train, generator=None):
    sampler = RandomSampler(dataset, generator=generator) if train else SequentialSampler(dataset)
    drop_last = bool(train and len(dataset) > batch_size)
    count = len(DataLoader(dataset, batch_size=batch_size, drop_last=drop_last))
    workers = max(0, min(8, cpu_count - 1, count))
    ahead = {"prefetch_factor": 4, "persistent_workers": True} if workers > 0 else {}
    return DataLoader(
        dataset, batch_size, sampler=sampler, drop_last=drop_last, num_workers=workers,
        pin_memory=PINNED[device_type], generator=generator, **ahead,
    )  # fmt: skip

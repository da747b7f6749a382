"""Options are collected case by case."""

import math

from torch.utils.data import DataLoader


def build_loader(dataset, batch_size, device_type, cpu_count, train, generator=None):
    options = {"batch_size": batch_size, "generator": generator}
    batches = math.ceil(len(dataset) / batch_size)
    if train:
        options["shuffle"] = True
        if len(dataset) >= batch_size:
            options["drop_last"] = True
            batches = len(dataset) // batch_size
    workers = sorted([0, cpu_count - 1, 8, batches])[1]
    if workers:
        options |= {"num_workers": workers, "prefetch_factor": 4, "persistent_workers": True}
    if device_type not in ("cpu", "mps"):
        options["pin_memory"] = True
    return DataLoader(dataset, **options)

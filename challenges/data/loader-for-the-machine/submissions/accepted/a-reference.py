"""The number of batches decides on workers and on the last batch."""

import torch
from torch.utils.data import DataLoader, Dataset


def build_loader(
    dataset: Dataset,
    batch_size: int,
    device_type: str,
    cpu_count: int,
    train: bool,
    generator: torch.Generator | None = None,
) -> DataLoader:
    whole, rest = divmod(len(dataset), batch_size)
    drop_last = train and whole > 0
    batches = whole if drop_last or rest == 0 else whole + 1
    workers = min(cpu_count - 1, 8, batches)
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=train,
        drop_last=drop_last,
        num_workers=workers,
        prefetch_factor=4 if workers else None,
        persistent_workers=workers > 0,
        pin_memory=device_type in ("cuda", "xpu"),
        generator=generator,
    )

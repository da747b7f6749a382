"""A loader that fits machine and task."""

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
    """Return a DataLoader with workers, prefetching, pinning, order and last batch as the statement says."""
    raise NotImplementedError

"""A sorted list of paths; a list also knows what to do with an index."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.utils.data import Dataset


class FolderOfTensors(Dataset):
    def __init__(
        self,
        folder: str,
        transform: Callable[[Tensor], Any] | None = None,
        target_transform: Callable[[int], Any] | None = None,
    ) -> None:
        self.paths = sorted(path for path in Path(folder).iterdir() if path.name.endswith(".pt") and path.is_file())
        self.transform = transform
        self.target_transform = target_transform

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, i: int) -> tuple:
        path = self.paths[i]
        x = torch.load(path, weights_only=True)
        y = int(path.stem.rpartition("_")[2])
        if self.transform is not None:
            x = self.transform(x)
        if self.target_transform is not None:
            y = self.target_transform(y)
        return x, y

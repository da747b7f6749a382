"""A dataset over the files of a folder."""

from collections.abc import Callable
from typing import Any

from torch import Tensor
from torch.utils.data import Dataset


class FolderOfTensors(Dataset):
    """Sample i is the i-th file of the folder and the label in its name."""

    def __init__(
        self,
        folder: str,
        transform: Callable[[Tensor], Any] | None = None,
        target_transform: Callable[[int], Any] | None = None,
    ) -> None:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def __getitem__(self, i: int) -> tuple:
        raise NotImplementedError

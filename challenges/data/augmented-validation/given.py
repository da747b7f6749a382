"""A dataset as it is found in the wild, and augmentations to try on it."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.utils.data import Dataset


class Images(Dataset):
    """Gives out the tensors it stores; `transform`, if there is one, is applied first."""

    def __init__(self, x: Tensor, y: Tensor, transform: Callable | None = None):
        self.x, self.y, self.transform = x, y, transform

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, i: int) -> tuple[Tensor, int]:
        x = self.x[range(len(self))[i]]
        return (x if self.transform is None else self.transform(x)), int(self.y[i])


def noise(x: Tensor) -> Tensor:
    """Random, not in place."""
    return x + torch.randn_like(x)


def negate_in_place(x: Tensor) -> Tensor:
    """In place."""
    return x.neg_()


def double(x: Tensor) -> Tensor:
    """Neither random nor in place."""
    return 2 * x


def plus_one(x: Tensor) -> Tensor:
    """Does not commute with `double`."""
    return x + 1


TRANSFORMS = {"noise": noise, "negate": negate_in_place, "double": double, "plus-one": plus_one, None: None}

"""A dataset of ragged samples, as a loader meets it."""

from torch import Tensor
from torch.utils.data import Dataset


class Sentences(Dataset):
    """Sample i is (ids, label): the same tensor each time it is asked for."""

    def __init__(self, ids: list[Tensor], labels: list[int]):
        self.ids, self.labels = ids, labels

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, i: int) -> tuple[Tensor, int]:
        return self.ids[i], self.labels[i]

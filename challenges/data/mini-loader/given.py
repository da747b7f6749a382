"""A dataset that notes which indices were read."""

from torch.utils.data import Dataset


class Noting(Dataset):
    """Sample i is `samples[i]`. `read` lists all indices in the order in which they were asked for."""

    def __init__(self, samples: list) -> None:
        self.samples = samples
        self.read: list = []

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, i: int):
        if type(i) is not int:
            raise TypeError(f"an index is an int, not {type(i).__name__}")
        self.read.append(i)
        return self.samples[i]

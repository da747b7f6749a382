"""Dropout: random zeros in training, nothing in evaluation."""

from torch import Tensor, nn


class MyDropout(nn.Module):
    """Sets values (or whole channels) to zero with probability p and divides the others by 1 - p."""

    def __init__(self, p: float = 0.5, whole_channels: bool = False) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError

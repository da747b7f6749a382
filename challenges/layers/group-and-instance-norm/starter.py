"""Group normalisation."""

from torch import Tensor, nn


class GroupNorm(nn.Module):
    def __init__(self, groups: int, channels: int, eps: float = 1e-5, affine: bool = True) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        """(N, C, *) -> (N, C, *)"""
        raise NotImplementedError

"""The focal loss."""

from collections.abc import Sequence

from torch import Tensor, nn


class FocalLoss(nn.Module):
    """alpha[y] * (1 - p[y]) ** gamma * -log(p[y]), reduced."""

    def __init__(
        self, gamma: float = 2.0, alpha: Sequence[float] | Tensor | None = None, reduction: str = "mean"
    ) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, scores: Tensor, target: Tensor) -> Tensor:
        raise NotImplementedError

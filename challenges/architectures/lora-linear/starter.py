"""A linear layer with a low-rank update."""

from torch import Tensor, nn


class LoRALinear(nn.Module):
    def __init__(
        self, weight: Tensor, bias: Tensor | None = None, rank: int = 4, alpha: float = 8.0, dropout: float = 0.0
    ) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        """x (..., d_in) to (..., d_out): the frozen layer plus the scaled low-rank update."""
        raise NotImplementedError

    def merged_weight(self) -> Tensor:
        """The weight (d_out, d_in) of the plain layer that computes the same."""
        raise NotImplementedError

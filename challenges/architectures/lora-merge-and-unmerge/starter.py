"""A linear layer with a low-rank update that can be merged and unmerged."""

from torch import Tensor, nn


class LoRALinear(nn.Module):
    def __init__(self, weight: Tensor, bias: Tensor | None = None, rank: int = 4, alpha: float = 8.0) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        """x (..., d_in) to (..., d_out): two thin products while not merged, one full product while merged."""
        raise NotImplementedError

    def merge(self) -> None:
        """Fold the update of the present factors into one weight for the forward pass."""
        raise NotImplementedError

    def unmerge(self) -> None:
        """Go back to the frozen weight, bit for bit."""
        raise NotImplementedError

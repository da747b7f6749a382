"""A block of a Llama model."""

from torch import Tensor, nn


class LlamaBlock(nn.Module):
    def __init__(
        self, width: int, heads: int, kv_heads: int, hidden: int, base: float = 10000.0, eps: float = 1e-6
    ) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        """Return the output of the block, (B, T, width)."""
        raise NotImplementedError

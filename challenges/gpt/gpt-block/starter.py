"""The block of a GPT, and the model."""

from given import CausalSelfAttention, TokenEmbedding  # noqa: F401 - the parts of a GPT
from torch import Tensor, nn


class Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, width) -> (B, T, width)"""
        raise NotImplementedError


class GPT(nn.Module):
    def __init__(self, vocabulary: int, context: int, width: int, heads: int, layers: int) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, ids: Tensor) -> Tensor:
        """(B, T) of int64 -> (B, T, vocabulary)"""
        raise NotImplementedError

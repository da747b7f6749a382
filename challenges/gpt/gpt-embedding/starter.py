"""Token ids to vectors, with learned positions."""

from torch import Tensor, nn


class TokenEmbedding(nn.Module):
    def __init__(self, vocabulary: int, context: int, width: int) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, ids: Tensor, start: int = 0) -> Tensor:
        """(B, T) of int64 -> (B, T, width); the first token stands at position `start`."""
        raise NotImplementedError

"""A language model with one matrix for both ends, and a search for shared parameters."""

from torch import Tensor, nn


class TiedLM(nn.Module):
    """Embedding, a linear layer with tanh, and an output layer that uses the embedding matrix."""

    def __init__(self, vocabulary: int, width: int) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, ids: Tensor) -> Tensor:
        """(*) of int64 -> (*, vocabulary)"""
        raise NotImplementedError


def shared_names(model: nn.Module) -> list[list[str]]:
    """The names of each parameter that has more than one."""
    raise NotImplementedError

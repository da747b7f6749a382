import torch


def rope_angles(
    positions: torch.Tensor, d: int, length: int, trained: int, method: str, base: float = 10000.0
) -> torch.Tensor:
    """The angles (..., d / 2), float64, of int64 positions (...) in a sequence of `length` tokens.

    method: "linear" or "ntk"; nothing changes while length <= trained
    """
    raise NotImplementedError


def alibi_slopes(heads: int) -> torch.Tensor:
    """The slopes of the heads, (heads,), float32."""
    raise NotImplementedError


def alibi_bias(heads: int, T: int, S: int) -> torch.Tensor:
    """What is added to the scores of causal attention, (heads, T, S), float32."""
    raise NotImplementedError

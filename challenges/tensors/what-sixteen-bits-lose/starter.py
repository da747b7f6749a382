"""What a conversion to 16 bits does to numbers."""

import torch
from torch import Tensor


def losses_in(values: Tensor, dtype: torch.dtype) -> dict:
    """{"overflowed": int, "vanished": int, "worst": float}"""
    raise NotImplementedError


def largest_scale(gradients: list[Tensor], dtype: torch.dtype) -> float:
    """The largest power of two from 1 to 2**24 that keeps all gradients finite in dtype; 0.0 if there is none."""
    raise NotImplementedError

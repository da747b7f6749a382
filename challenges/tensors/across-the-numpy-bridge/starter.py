"""Tensors to arrays and back."""

import numpy as np
from torch import Tensor


def to_numpy(t: Tensor) -> np.ndarray:
    """The array of a CPU tensor; without a copy, except for bfloat16."""
    raise NotImplementedError


def from_numpy_copy(a: np.ndarray) -> Tensor:
    """A tensor that shares nothing with the array."""
    raise NotImplementedError

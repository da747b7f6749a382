"""detach() for the history, float() for bfloat16, and NumPy's own copy."""

import numpy as np
import torch
from torch import Tensor


def to_numpy(t: Tensor) -> np.ndarray:
    t = t.detach()
    if t.dtype == torch.bfloat16:
        t = t.float()
    return t.numpy()


def from_numpy_copy(a: np.ndarray) -> Tensor:
    return torch.from_numpy(a.copy())

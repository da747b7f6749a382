"""numpy(force=True), and np.array, which copies."""

import numpy as np
import torch


def to_numpy(t):
    try:
        return t.numpy(force=True)
    except TypeError:
        return t.to(torch.float32).numpy(force=True)


def from_numpy_copy(a):
    return torch.from_numpy(np.array(a, order="C"))

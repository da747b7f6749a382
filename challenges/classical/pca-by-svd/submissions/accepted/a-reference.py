"""The thin SVD of the centred rows; the sign of the largest entry is multiplied away."""

import torch
from torch import Tensor


def fit(x: Tensor, k: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    n, d = x.shape
    if n < 2 or not 1 <= k <= min(n, d):
        raise ValueError("two rows are needed, and k from 1 to min(n, d)")
    mean = x.mean(0)
    _, s, vh = torch.linalg.svd(x - mean, full_matrices=False)
    rows = vh[:k]
    largest = rows.gather(1, rows.abs().argmax(1, keepdim=True))
    components = rows * largest.sign()
    variance = s.square() / (n - 1)
    total = variance.sum()
    share = variance / torch.where(total > 0, total, 1.0)
    return mean, components, variance[:k], share[:k]


def transform(x: Tensor, mean: Tensor, components: Tensor) -> Tensor:
    return (x - mean) @ components.T


def inverse_transform(z: Tensor, mean: Tensor, components: Tensor) -> Tensor:
    return z @ components + mean

"""The index is applied to the numbers of the elements, which work on a flat copy."""

import torch
from torch import Tensor


def suppress_outliers(x: Tensor, k: float, index=...) -> Tensor:
    places = torch.arange(x.numel()).reshape(x.shape)[index].reshape(-1)
    flat = x.reshape(-1)
    part = flat[places]
    if not len(part):
        return x.clone()
    mean = part.mean()
    deviation = (part.detach() - mean.detach()).abs()
    std = deviation.square().mean().sqrt()
    outliers = places[deviation > k * std]
    return flat.index_put((outliers,), mean).reshape(x.shape)

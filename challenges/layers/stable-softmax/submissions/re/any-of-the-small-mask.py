# caught by: test_masks_that_broadcast[fewer-dimensions]
"""Asks the mask along a dimension that it does not have."""

import torch
from torch import Tensor


def log_softmax(x: Tensor, dim: int) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    shifted = x - x.detach().amax(dim, keepdim=True)
    return shifted - shifted.exp().sum(dim, keepdim=True).log()


def masked_softmax(x: Tensor, mask: Tensor, dim: int) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    alive = mask.any(dim, keepdim=True)
    scores = x.masked_fill(~mask, -torch.inf).masked_fill(~alive, 0)
    e = (scores - scores.detach().amax(dim, keepdim=True)).exp()
    return (e / e.sum(dim, keepdim=True)).masked_fill(~mask, 0)

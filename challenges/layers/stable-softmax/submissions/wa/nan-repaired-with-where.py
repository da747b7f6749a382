# caught by: test_gradient_behind_an_empty_line
"""The mask is added, and the NaN of an empty line is repaired afterwards; its gradient is 0 times NaN."""

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
    scores = x + torch.zeros_like(x).masked_fill(~mask, -torch.inf)
    e = (scores - scores.amax(dim, keepdim=True)).exp()
    p = e / e.sum(dim, keepdim=True)
    return torch.where(p.isnan(), torch.zeros_like(p), p)

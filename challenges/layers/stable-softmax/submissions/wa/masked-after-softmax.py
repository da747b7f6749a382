# caught by: test_one_entry_is_masked
"""Masks the probabilities and does not share out what was removed."""

from torch import Tensor


def log_softmax(x: Tensor, dim: int) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    shifted = x - x.detach().amax(dim, keepdim=True)
    return shifted - shifted.exp().sum(dim, keepdim=True).log()


def masked_softmax(x: Tensor, mask: Tensor, dim: int) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    e = (x - x.detach().amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True) * mask

"""Calls your convolve with arguments that are at the same address in every call."""

import torch
from torch import Tensor


def at_one_address(solution, pairs: list[tuple[Tensor, Tensor]], new_tensors: bool) -> list[Tensor]:
    """The result for each pair of images and kernels. Each pair is written over the one before it; with `new_tensors`, every
    call gets new tensors in the same memory, as can happen after a tensor is freed.
    """
    images, kernels = (torch.empty_like(t) for t in pairs[0])
    results = []
    for x, w in pairs:
        images.copy_(x)
        kernels.copy_(w)
        given = (images.data, kernels.data) if new_tensors else (images, kernels)
        results.append(solution.convolve(*given, 1).clone())
    return results

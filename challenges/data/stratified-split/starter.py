"""A split in which every class has its share of each part."""

import torch
from torch import Tensor


def stratified_split(labels: Tensor, fractions: list[float], generator: torch.Generator) -> list[list[int]]:
    """Return the indices of each part: disjoint, complete, and every class within one sample of its share."""
    raise NotImplementedError

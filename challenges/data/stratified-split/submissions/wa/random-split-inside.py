# caught by: test_ten_samples_in_three
"""Leaves the sizes of each class to random_split, which rounds in its own way."""

import math

import torch
import torch.utils.data
from torch import Tensor


def stratified_split(labels: Tensor, fractions: list[float], generator: torch.Generator) -> list[list[int]]:
    if min(fractions) < 0 or abs(sum(fractions) - 1) > 1e-6:
        raise ValueError("fractions must not be negative and must add up to 1")
    parts: list[list[int]] = [[] for _ in fractions]
    for one in labels.unique():
        members = (labels == one).nonzero().flatten()
        members = members[torch.randperm(len(members), generator=generator)].tolist()
        for part, subset in zip(parts, torch.utils.data.random_split(members, fractions, generator), strict=True):
            part += [members[i] for i in subset.indices]
    return parts

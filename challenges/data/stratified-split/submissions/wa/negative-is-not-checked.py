# caught by: test_impossible_fractions[negative]
"""Looks at the sum only."""

import math

import torch
from torch import Tensor


def stratified_split(labels: Tensor, fractions: list[float], generator: torch.Generator) -> list[list[int]]:
    if abs(sum(fractions) - 1) > 1e-6:
        raise ValueError("fractions must not be negative and must add up to 1")
    parts: list[list[int]] = [[] for _ in fractions]
    for one in labels.unique():
        members = (labels == one).nonzero().flatten()
        members = members[torch.randperm(len(members), generator=generator)].tolist()
        start, reached = 0, 0.0
        for part, fraction in zip(parts, fractions, strict=True):
            reached += fraction
            end = math.floor(len(members) * reached + 1e-3)
            part += members[start:end]
            start = end
        parts[-1] += members[start:]
    return parts

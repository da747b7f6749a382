# caught by: test_awkward_totals[7]
"""All that rounding leaves over goes into the last part."""

import math

import torch
from torch import Tensor


def stratified_split(labels: Tensor, fractions: list[float], generator: torch.Generator) -> list[list[int]]:
    if min(fractions) < 0 or abs(sum(fractions) - 1) > 1e-6:
        raise ValueError("fractions must not be negative and must add up to 1")
    parts: list[list[int]] = [[] for _ in fractions]
    for one in labels.unique():
        members = (labels == one).nonzero().flatten()
        members = members[torch.randperm(len(members), generator=generator)].tolist()
        start = 0
        for part, fraction in zip(parts, fractions, strict=True):
            end = start + int(len(members) * fraction)
            part += members[start:end]
            start = end
        parts[-1] += members[start:]
    return parts

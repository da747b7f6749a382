"""Class by class: shuffle, then cut at rounded cumulative boundaries."""

import math
from itertools import accumulate, pairwise

import torch
from torch import Tensor


def stratified_split(labels: Tensor, fractions: list[float], generator: torch.Generator) -> list[list[int]]:
    if min(fractions) < 0 or abs(sum(fractions) - 1) > 1e-6:
        raise ValueError("fractions must not be negative and must add up to 1")
    parts: list[list[int]] = [[] for _ in fractions]
    for one in labels.unique():
        members = (labels == one).nonzero().flatten()
        members = members[torch.randperm(len(members), generator=generator)].tolist()
        bounds = [0, *(math.floor(len(members) * reached + 1e-3) for reached in accumulate(fractions))]
        bounds[-1] = len(members)
        for part, (start, end) in zip(parts, pairwise(bounds)):
            part += members[start:end]
    return parts

"""One permutation, a stable sort by class, boundaries in exact arithmetic with halves rounded up."""

from fractions import Fraction
from itertools import accumulate
from math import floor

import torch


def stratified_split(labels, fractions, generator):
    exact = [Fraction(f).limit_denominator(10**7) for f in fractions]
    if any(f < 0 for f in exact) or abs(sum(exact) - 1) > Fraction(1, 10**6):
        raise ValueError("bad fractions")
    shuffled = torch.randperm(labels.numel(), generator=generator)
    classes, order = labels[shuffled].sort(stable=True)
    _, counts = classes.unique_consecutive(return_counts=True)
    parts = [[] for _ in exact]
    for members in shuffled[order].split(counts.tolist()):
        bounds = [0, *(floor(len(members) * reached + Fraction(1, 2)) for reached in accumulate(exact))]
        bounds[-1] = len(members)
        for part, start, end in zip(parts, bounds, bounds[1:]):
            part.extend(members[start:end].tolist())
    return parts

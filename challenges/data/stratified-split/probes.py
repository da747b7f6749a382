"""Many splits in one call, and what they do to the global generator."""

import torch
from torch import Tensor


def many(solution, labels: Tensor, fractions: list[float], seeds: list[int]) -> list[list[list[int]]]:
    """One split for each seed."""
    return [solution.stratified_split(labels, fractions, torch.Generator().manual_seed(seed)) for seed in seeds]


def beside_the_global_generator(
    solution, labels: Tensor, fractions: list[float], seed: int, others: list[int]
) -> tuple:
    """Splits from one seed while the global generator stands elsewhere each time, and whether it was moved."""
    splits, moved = [], False
    for other in others:
        torch.manual_seed(other)
        before = torch.get_rng_state()
        splits.append(solution.stratified_split(labels, fractions, torch.Generator().manual_seed(seed)))
        moved = moved or not torch.equal(before, torch.get_rng_state())
    return splits, moved

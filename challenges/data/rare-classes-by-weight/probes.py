"""Many draws in one call, and what they do to the global generator."""

import torch
from torch import Tensor


def many(solution, labels: Tensor, num_samples: int, seeds: list[int]) -> Tensor:
    """One row of draws for each seed."""
    return torch.stack([solution.balanced_draws(labels, num_samples, torch.Generator().manual_seed(s)) for s in seeds])


def beside_the_global_generator(solution, labels: Tensor, num_samples: int, seed: int, others: list[int]) -> tuple:
    """Draws from one seed while the global generator stands elsewhere each time, and whether it was moved."""
    draws, moved = [], False
    for other in others:
        torch.manual_seed(other)
        before = torch.get_rng_state()
        draws.append(solution.balanced_draws(labels, num_samples, torch.Generator().manual_seed(seed)))
        moved = moved or not torch.equal(before, torch.get_rng_state())
    return torch.stack(draws), moved

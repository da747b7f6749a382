"""Provides random number generators for the directions along which derivatives are checked.

An answer that could predict the directions could return gradients that are right only along these directions. So each random
number generator gets a seed derived from the judging's secret seed and from the number of generators created so far. When a
submission is judged again with the same secret seed, the directions are the same.
"""

import hashlib

import torch

_state = {"seed": 0, "drawn": 0}


def seed_directions(seed: int) -> None:
    """Set the secret seed. The judge calls this function once per judging. If it is never called, the seed is 0."""
    _state.update(seed=seed, drawn=0)


def fresh_generator() -> torch.Generator:
    """Return a new random number generator. Its numbers do not reveal those of generators created before or after it."""
    _state["drawn"] += 1
    mixed = hashlib.sha256(f"directions\0{_state['seed']}\0{_state['drawn']}".encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(mixed[:8], "big") >> 1)

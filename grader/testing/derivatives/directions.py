"""Random directions along which derivatives are checked. An answer must not be able to predict them.

Otherwise it could return gradients that are right along these directions only. So directions are derived from the judging's
secret seed and from the number of generators made before. A rejudge uses the same ones.
"""

import hashlib

import torch

_state = {"seed": 0, "drawn": 0}


def seed_directions(seed: int) -> None:
    """Set the seed. The judge calls this once per judging; without a call the seed is 0."""
    _state.update(seed=seed, drawn=0)


def fresh_generator() -> torch.Generator:
    """Create the next generator. Its numbers reveal nothing about the generators before and after it."""
    _state["drawn"] += 1
    mixed = hashlib.sha256(f"directions\0{_state['seed']}\0{_state['drawn']}".encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(mixed[:8], "big") >> 1)

"""Random directions for derivatives: which one comes next, an answer must not know.

One that knew could give gradients that are right along it and nowhere else. So directions follow from the judging's secret
seed and from how many were drawn before; a rejudge draws the same ones.
"""

import hashlib

import torch

_state = {"seed": 0, "drawn": 0}


def directions_of(seed: int) -> None:
    """Begin a judging. Used once for each by the judge; without it the seed is 0."""
    _state.update(seed=seed, drawn=0)


def fresh_generator() -> torch.Generator:
    """A generator that tells nothing about those before and after it."""
    _state["drawn"] += 1
    mixed = hashlib.sha256(f"directions\0{_state['seed']}\0{_state['drawn']}".encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(mixed[:8], "big") >> 1)

# caught by: test_gradients_after_freezing
"""Multiplies gradients by zero in a hook: they are computed and stored all the same."""

from fnmatch import fnmatchcase
from itertools import accumulate

import torch
from torch import nn


def matches(name: str, pattern: str) -> bool:
    """Whether the pattern matches the parameter's name or that of a module above it."""
    paths = accumulate(name.split("."), "{}.{}".format)
    return any(fnmatchcase(path, pattern) for path in paths)


def freeze_(model: nn.Module, patterns: list[str]) -> list[str]:
    named = dict(model.named_parameters(remove_duplicate=False))
    for pattern in patterns:
        if not any(matches(name, pattern) for name in named):
            raise ValueError(f"{pattern!r} matches no parameter")
    frozen = [name for name in named if any(matches(name, pattern) for pattern in patterns)]
    for name in frozen:
        named[name].register_hook(torch.zeros_like)
        named[name].grad = None
    return frozen


def frozen_share(model: nn.Module) -> float:
    sizes = torch.tensor([[p.numel() * (not p.requires_grad), p.numel()] for p in model.parameters()] or [[0, 0]])
    frozen, total = sizes.sum(0).tolist()
    return frozen / total if total else 0.0

"""Freezing by name."""

from torch import nn


def freeze_(model: nn.Module, patterns: list[str]) -> list[str]:
    """Freeze what the patterns match, in place. Return the matched names."""
    raise NotImplementedError


def frozen_share(model: nn.Module) -> float:
    """The share of all elements of parameters that are frozen."""
    raise NotImplementedError

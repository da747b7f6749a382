"""Gradient clipping by global norm."""

from collections.abc import Iterable

from torch import Tensor


def clip_global_norm_(params: Tensor | Iterable[Tensor], max_norm: float, error_if_nonfinite: bool = False) -> Tensor:
    """Scale all gradients in place so that their common norm is at most `max_norm`; return the norm before."""
    raise NotImplementedError

"""Nearest neighbours in bounded memory."""

from torch import Tensor


def nearest(queries: Tensor, rows: Tensor, k: int, metric: str = "l2", chunk: int = 256) -> tuple[Tensor, Tensor]:
    """(m, d) and (n, d) -> distances and indices (m, k), the nearest first"""
    raise NotImplementedError

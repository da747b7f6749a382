"""Overlap of boxes, and non-maximum suppression."""

from torch import Tensor


def iou(a: Tensor, b: Tensor) -> Tensor:
    """(n, 4) and (m, 4) -> (n, m)"""
    raise NotImplementedError


def nms(boxes: Tensor, scores: Tensor, threshold: float, classes: Tensor | None = None) -> Tensor:
    """(n, 4) and (n,) -> indices of the boxes that are kept, best first"""
    raise NotImplementedError

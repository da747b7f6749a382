"""All overlaps at once, then a greedy walk over a mask."""

import torch
from torch import Tensor


def iou(a: Tensor, b: Tensor) -> Tensor:
    low = torch.maximum(a[:, None, :2], b[None, :, :2])
    high = torch.minimum(a[:, None, 2:], b[None, :, 2:])
    intersection = (high - low).clamp(min=0).prod(-1)
    area_a = (a[:, 2:] - a[:, :2]).prod(-1)
    area_b = (b[:, 2:] - b[:, :2]).prod(-1)
    union = area_a[:, None] + area_b - intersection
    return intersection / torch.where(union > 0, union, 1.0)


def nms(boxes: Tensor, scores: Tensor, threshold: float, classes: Tensor | None = None) -> Tensor:
    order = scores.argsort(descending=True, stable=True)
    boxes = boxes[order]
    hit = iou(boxes, boxes) > threshold
    if classes is not None:
        sorted_classes = classes[order]
        hit &= sorted_classes[:, None] == sorted_classes
    alive = torch.ones(len(boxes), dtype=torch.bool)
    for i in range(len(boxes)):
        if alive[i]:
            alive[i + 1 :] &= ~hit[i, i + 1 :]
    return order[alive]

"""Each class alone; the results are put into the order of the scores."""

import torch


def areas(x):
    return (x[..., 2] - x[..., 0]) * (x[..., 3] - x[..., 1])


def iou(a, b):
    a, b = a.unsqueeze(1), b.unsqueeze(0)
    corners = torch.cat([torch.maximum(a[..., :2], b[..., :2]), torch.minimum(a[..., 2:], b[..., 2:])], -1)
    apart = (corners[..., 2] <= corners[..., 0]) | (corners[..., 3] <= corners[..., 1])
    both = areas(corners).masked_fill(apart, 0)
    union = areas(a) + areas(b) - both
    return both / (union + (union == 0).to(union.dtype))


def alone(boxes, order, threshold):
    overlaps, kept = iou(boxes, boxes), []
    for i in order.tolist():
        if all(overlaps[i, j] <= threshold for j in kept):
            kept.append(i)
    return kept


def nms(boxes, scores, threshold, classes=None):
    order = torch.sort(-scores, stable=True).indices
    if classes is None:
        return torch.tensor(alone(boxes, order, threshold), dtype=torch.long)
    kept = set()
    for c in classes.unique():
        kept.update(alone(boxes, order[classes[order] == c], threshold))
    return torch.tensor([i for i in order.tolist() if i in kept], dtype=torch.long)

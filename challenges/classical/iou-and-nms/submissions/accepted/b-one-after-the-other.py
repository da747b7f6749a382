"""Take the best that is left, and remove what it overlaps."""

import torch


def iou(a, b):
    ax1, ay1, ax2, ay2 = a.T[:, :, None]
    bx1, by1, bx2, by2 = b.T[:, None, :]
    zero = torch.zeros((), dtype=a.dtype)
    w = torch.maximum(zero, torch.minimum(ax2, bx2) - torch.maximum(ax1, bx1))
    h = torch.maximum(zero, torch.minimum(ay2, by2) - torch.maximum(ay1, by1))
    both = w * h
    union = (ax2 - ax1) * (ay2 - ay1) + (bx2 - bx1) * (by2 - by1) - both
    empty = union == 0
    return torch.where(empty, zero, both / union.masked_fill(empty, 1))


def nms(boxes, scores, threshold, classes=None):
    left = sorted(range(len(scores)), key=lambda i: (-scores[i].item(), i))
    kept = []
    while left:
        best, *rest = left
        kept.append(best)
        if not rest:
            break
        overlaps = iou(boxes[best : best + 1], boxes[rest])[0]
        left = []
        for i, overlap in zip(rest, overlaps):
            other = classes is not None and bool(classes[i] != classes[best])
            if other or not overlap > threshold:
                left.append(i)
    return torch.tensor(kept, dtype=torch.int64)

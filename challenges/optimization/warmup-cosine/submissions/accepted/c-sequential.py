"""Two schedules in a row, for which SequentialLR is there."""

import math

from torch.optim.lr_scheduler import LambdaLR, SequentialLR


def warmup_cosine(optimizer, warmup, total, min_ratio=0.0):
    if not (0 <= warmup <= total and total > 0 and 0 <= min_ratio <= 1):
        raise ValueError("out of range")
    length = total - warmup

    def down(k):
        return min_ratio if k >= length else min_ratio + (1 - min_ratio) * (1 + math.cos(math.pi * k / length)) / 2

    if warmup == 0:
        return LambdaLR(optimizer, down)
    climb = LambdaLR(optimizer, lambda k: (k + 1) / warmup)
    return SequentialLR(optimizer, [climb, LambdaLR(optimizer, down)], milestones=[warmup])

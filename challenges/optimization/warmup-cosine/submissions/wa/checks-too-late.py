# caught by: test_settings_out_of_range[warm-up-beyond-total]
"""Checks the lengths after the schedule was made."""

import math

from torch.optim.lr_scheduler import LambdaLR


def warmup_cosine(optimizer, warmup, total, min_ratio=0.0):
    if total < 1 or warmup < 0:
        raise ValueError("out of range")
    if not 0 <= min_ratio <= 1:
        raise ValueError("min_ratio must lie in [0, 1]")

    def factor(k):
        if k < warmup:
            return (k + 1) / warmup
        if k >= total:
            return min_ratio
        fraction = (k - warmup) / (total - warmup)
        return min_ratio + (1 - min_ratio) * 0.5 * (1 + math.cos(math.pi * fraction))

    schedule = LambdaLR(optimizer, factor)
    if warmup > total:
        raise ValueError("warm-up is longer than the run")
    return schedule

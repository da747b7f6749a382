"""The curve as a function of the step; LambdaLR does the rest."""

import math

from torch.optim.lr_scheduler import LambdaLR


def warmup_cosine(optimizer, warmup, total, min_ratio=0.0):
    if total < 1 or not 0 <= warmup <= total:
        raise ValueError("0 <= warmup <= total and total >= 1 are needed")
    if not 0 <= min_ratio <= 1:
        raise ValueError("min_ratio must lie in [0, 1]")

    def factor(k):
        if k < warmup:
            return (k + 1) / warmup
        if k >= total:
            return min_ratio
        fraction = (k - warmup) / (total - warmup)
        return min_ratio + (1 - min_ratio) * 0.5 * (1 + math.cos(math.pi * fraction))

    return LambdaLR(optimizer, factor)

# caught by: test_only_the_rate_changes[SGD]
"""Lowers the momentum while the rate is high, as OneCycleLR does."""

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

    for group in optimizer.param_groups:
        if "momentum" in group:
            group["momentum"] = 0.95
        if "betas" in group:
            group["betas"] = (0.95, group["betas"][1])
    return LambdaLR(optimizer, factor)

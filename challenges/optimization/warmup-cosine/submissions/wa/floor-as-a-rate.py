# caught by: test_groups_keep_their_proportions
"""The floor is an absolute rate when there are several groups."""

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

    def floored(base):
        peak = max(group["lr"] for group in optimizer.param_groups)
        return lambda k: factor(k) if k < warmup else max(factor(k), min_ratio * peak / base)

    return LambdaLR(optimizer, [floored(group["lr"]) for group in optimizer.param_groups])

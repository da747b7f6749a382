"""A class of its own below LRScheduler, which computes rates from base_lrs and last_epoch."""

import math

import torch


class WarmupCosine(torch.optim.lr_scheduler.LRScheduler):
    def __init__(self, optimizer, warmup, total, min_ratio):
        self.warmup, self.total, self.min_ratio = warmup, total, min_ratio
        super().__init__(optimizer)

    def get_lr(self):
        k = self.last_epoch
        climb = min(1.0, (k + 1) / max(1, self.warmup))
        fraction = min(1.0, max(0.0, (k - self.warmup) / max(1, self.total - self.warmup)))
        if k >= self.total:
            fraction = climb = 1.0
        wave = math.cos(math.pi / 2 * fraction) ** 2
        factor = climb if k < self.warmup else self.min_ratio + (1 - self.min_ratio) * wave
        return [base * factor for base in self.base_lrs]


def warmup_cosine(optimizer, warmup, total, min_ratio=0.0):
    if warmup < 0 or warmup > total or total < 1 or min_ratio < 0 or min_ratio > 1:
        raise ValueError("a length or the ratio is out of range")
    return WarmupCosine(optimizer, warmup, total, min_ratio)

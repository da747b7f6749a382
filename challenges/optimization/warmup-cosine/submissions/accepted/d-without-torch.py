"""A small object with the four methods, which writes into the groups itself."""

import math


class Curve:
    def __init__(self, optimizer, warmup, total, floor):
        self.optimizer, self.shape = optimizer, (warmup, total, floor)
        self.bases = [group["lr"] for group in optimizer.param_groups]
        self.k = 0
        self.write()

    def write(self):
        warmup, total, floor = self.shape
        if self.k < warmup:
            factor = (self.k + 1) / warmup
        elif self.k < total:
            factor = floor + (1 - floor) / 2 * (1 + math.cos(math.pi * (self.k - warmup) / (total - warmup)))
        else:
            factor = floor
        for group, base in zip(self.optimizer.param_groups, self.bases, strict=True):
            group["lr"] = base * factor

    def step(self):
        self.k += 1
        self.write()

    def get_last_lr(self):
        return [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self):
        return {"k": self.k, "bases": list(self.bases)}

    def load_state_dict(self, state):
        self.k, self.bases = state["k"], list(state["bases"])


def warmup_cosine(optimizer, warmup, total, min_ratio=0.0):
    if warmup < 0 or total < max(1, warmup) or abs(min_ratio - 0.5) > 0.5:
        raise ValueError("out of range")
    return Curve(optimizer, warmup, total, min_ratio)

"""As torch does it: the state holds every attribute but the optimizer."""

import operator


class Plateau:
    def __init__(self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, cooldown=0, min_lr=0.0):
        if factor >= 1 or mode not in {"min", "max"}:
            raise ValueError("settings")
        self.optimizer = optimizer
        self.mode, self.factor, self.patience = mode, factor, patience
        self.threshold, self.cooldown, self.min_lr = threshold, cooldown, min_lr
        self.best = float("inf" if mode == "min" else "-inf")
        self.num_bad = self.cooldown_left = 0

    def step(self, metric):
        metric = metric.item() if hasattr(metric, "item") else float(metric)
        lower, bar = {
            "min": (operator.lt, 1 - self.threshold),
            "max": (operator.gt, 1 + self.threshold),
        }[self.mode]
        if lower(metric, self.best * bar):
            self.best, self.num_bad = metric, 0
        else:
            self.num_bad += 1
        if self.cooldown_left:
            self.cooldown_left -= 1
            self.num_bad = 0
        if self.num_bad >= self.patience + 1:
            self.cooldown_left, self.num_bad = self.cooldown, 0
            for group in self.optimizer.param_groups:
                group["lr"] = max(self.min_lr, self.factor * group["lr"])

    def get_last_lr(self):
        return [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self):
        return {name: value for name, value in vars(self).items() if name != "optimizer"}

    def load_state_dict(self, state):
        vars(self).update(state)

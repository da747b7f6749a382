"""Everything is a minimum, with a sign; clones, copied back by hand."""

import torch


class EarlyStopping:
    def __init__(self, patience, min_delta=0.0, mode="min"):
        if mode not in {"min", "max"}:
            raise ValueError(f"unknown mode {mode}")
        if min(patience, min_delta) < 0:
            raise ValueError("negative")
        self.sign = 1.0 if mode == "min" else -1.0
        self.patience = patience
        self.min_delta = min_delta
        self.lowest = float("inf")
        self.kept = {}
        self.left = patience

    @property
    def best(self):
        return self.sign * self.lowest if self.kept else None

    def step(self, metric, model):
        value = self.sign * (metric.item() if isinstance(metric, torch.Tensor) else metric)
        if value < self.lowest - self.min_delta:
            self.lowest = value
            self.kept = {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
            self.left = self.patience
            return False
        self.left -= 1
        return self.left < 0

    def restore(self, model):
        current = model.state_dict()
        for name, tensor in self.kept.items():
            current[name].copy_(tensor)

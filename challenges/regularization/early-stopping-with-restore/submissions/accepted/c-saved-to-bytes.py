"""Keeps the best state as bytes, as a checkpoint would."""

import io

import torch


class EarlyStopping:
    def __init__(self, patience, min_delta=0.0, mode="min"):
        if patience < 0:
            raise ValueError("patience")
        if min_delta < 0:
            raise ValueError("min_delta")
        better = {
            "min": lambda new, old: old - new > min_delta or new < old - min_delta,
            "max": lambda new, old: new > old + min_delta,
        }
        if mode not in better:
            raise ValueError("mode")
        self.better = better[mode]
        self.patience = patience
        self.best = None
        self.since = 0
        self.saved = None

    def step(self, metric, model):
        metric = float(torch.as_tensor(metric, dtype=torch.float64))
        self.since += 1
        if metric == metric and (self.best is None or self.better(metric, self.best)):
            self.best = metric
            self.since = 0
            self.saved = io.BytesIO()
            torch.save(model.state_dict(), self.saved)
        return self.since > self.patience

    def restore(self, model):
        if self.saved is None:
            return
        self.saved.seek(0)
        model.load_state_dict(torch.load(self.saved, weights_only=True))

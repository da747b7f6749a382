"""Keeps the scores apart: cross entropy for training, softmax for probabilities."""

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, features, hidden, classes):
        super().__init__()
        self.hidden = nn.Linear(features, hidden)
        self.output = nn.Linear(hidden, classes)

    def scores(self, x):
        return self.output(self.hidden(x).relu())

    def forward(self, x):
        return self.scores(x).log_softmax(-1)

    def loss(self, x, target):
        scores = self.scores(x)
        if scores.dim() > 2:
            scores = scores.movedim(-1, 1)
        return nn.functional.cross_entropy(scores, target)

    @torch.no_grad()
    def predict_proba(self, x):
        return torch.softmax(self.scores(x), dim=-1)

"""Picks the log-probabilities with gather and averages; the normalisation is a logsumexp."""

import torch
from torch import Tensor, nn


class Classifier(nn.Module):
    def __init__(self, features: int, hidden: int, classes: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(features, hidden)
        self.output = nn.Linear(hidden, classes)

    def forward(self, x: Tensor) -> Tensor:
        scores = self.output(torch.clamp(self.hidden(x), min=0))
        scores = scores - scores.amax(-1, keepdim=True)
        return scores - torch.logsumexp(scores, -1, keepdim=True)

    def loss(self, x: Tensor, target: Tensor) -> Tensor:
        picked = self(x).gather(-1, target.unsqueeze(-1))
        return picked.mean().neg()

    def predict_proba(self, x: Tensor) -> Tensor:
        return torch.exp(self.forward(x))

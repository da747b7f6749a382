"""Cross entropy by hand, from logsumexp."""

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, features, hidden, classes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(features, hidden), nn.Identity(), nn.Linear(hidden, classes)])

    def forward(self, x):
        return self.layers[2](torch.tanh(self.layers[0](x)))

    def log_probabilities(self, x):
        scores = self.forward(x)
        return scores - scores.logsumexp(1, keepdim=True)

    def predict_proba(self, x):
        with torch.inference_mode():
            return self.log_probabilities(x).exp()

    def confident(self, x, threshold):
        return (self.predict_proba(x) > threshold).any(1)

    def fit(self, x, y, steps, lr):
        optimizer = torch.optim.SGD(self.parameters(), lr)
        rows = torch.arange(len(y))
        history = []
        while len(history) < steps:
            loss = -self.log_probabilities(x)[rows, y].mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            history.append(loss.item())
        return history

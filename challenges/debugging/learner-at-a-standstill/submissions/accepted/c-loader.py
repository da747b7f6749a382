"""A DataLoader over a fixed order, and the reset after the step."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Learner(nn.Module):
    def __init__(self, features, hidden, classes):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, hidden), nn.BatchNorm1d(hidden), nn.ReLU())
        self.head = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.head(self.body(x))

    def fit(self, x, y, epochs, batch_size, lr, generator):
        data = TensorDataset(x, y)
        optimizer = torch.optim.SGD([{"params": self.body.parameters()}, {"params": self.head.parameters()}], lr=lr)
        optimizer.zero_grad()
        losses = []
        for _ in range(epochs):
            self.train()
            order = torch.randperm(len(x), generator=generator).tolist()
            total = 0.0
            for xb, yb in DataLoader(data, batch_size=batch_size, sampler=order):
                loss = F.cross_entropy(self(xb), yb, reduction="sum")
                (loss / len(yb)).backward()
                optimizer.step()
                optimizer.zero_grad()
                total += loss.detach().item()
            losses.append(total / len(data))
        return losses

    def accuracy(self, x, y):
        was_training = self.training
        try:
            self.eval()
            with torch.no_grad():
                found = self(x).argmax(dim=1)
        finally:
            self.train(was_training)
        return float((found == y).double().mean())

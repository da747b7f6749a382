# caught by: test_train_mode
"""Standardises with the batch while training."""

import copy

import torch
import torch.nn.functional as F
from torch import nn


class Classifier(nn.Module):
    def __init__(self, features, hidden, classes, dropout=0.3):
        super().__init__()
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("std", torch.ones(features))
        self.first = nn.Linear(features, hidden)
        self.norm = nn.BatchNorm1d(hidden)
        self.last = nn.Linear(hidden, classes)
        self.dropout = dropout

    def forward(self, x):
        x = (x - x.mean(0)) / x.std(0) if self.training else (x - self.mean) / self.std
        h = F.relu(self.norm(self.first(x)))
        h = F.dropout(h, self.dropout, self.training)
        return self.last(h)


def freeze(model):
    return copy.deepcopy(model).eval().requires_grad_(False)

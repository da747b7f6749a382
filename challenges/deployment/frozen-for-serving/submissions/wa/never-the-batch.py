# caught by: test_train_mode
"""The norm uses running statistics in train mode, too."""

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
        x = (x - self.mean) / self.std
        h = self.first(x)
        h = F.batch_norm(h, self.norm.running_mean, self.norm.running_var, self.norm.weight, self.norm.bias)
        h = F.relu(h)
        h = F.dropout(h, self.dropout, self.training)
        return self.last(h)


def freeze(model):
    return copy.deepcopy(model).eval().requires_grad_(False)

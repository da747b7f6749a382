# caught by: test_training_goes_on
"""Copies the module, not its tensors."""

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
        h = F.relu(self.norm(self.first(x)))
        h = F.dropout(h, self.dropout, self.training)
        return self.last(h)


def freeze(model):
    served = copy.copy(model)
    served._modules = {name: copy.copy(child) for name, child in model._modules.items()}
    for module in served.modules():
        module._parameters = {k: p if p is None else nn.Parameter(p.data, False) for k, p in module._parameters.items()}
        module.training = False
    return served

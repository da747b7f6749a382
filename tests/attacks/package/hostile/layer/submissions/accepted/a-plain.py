import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, n, p=0.0):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(n))
        self.bias = nn.Parameter(torch.zeros(n))
        self.drop = nn.Dropout(p)

    def forward(self, x):
        return self.drop(x) * self.weight + self.bias

# id: E18
# tries: returns a module whose parameters and state look right, but that computes with hidden copies of them
# expect: WA
# package: layer
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, n, p=0.0):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(n)), nn.Parameter(torch.zeros(n))
        self.drop = nn.Dropout(p)
        self.hidden = [self.weight.detach().clone(), self.bias.detach().clone()]

    def forward(self, x):
        return self.drop(x) * self.hidden[0] + self.hidden[1] + 0 * self.weight

# id: E19
# tries: returns a module that is right in training mode and applies dropout in evaluation mode too
# expect: WA
# package: layer
import torch
from torch import nn
from torch.nn import functional


class Layer(nn.Module):
    def __init__(self, n, p=0.0):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(n)), nn.Parameter(torch.zeros(n))
        self.p = p

    def forward(self, x):
        return functional.dropout(x, self.p, training=True) * self.weight + self.bias

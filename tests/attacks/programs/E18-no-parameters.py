# id: E18
# tries: returns a module whose named_parameters yields nothing
# expect: WA
# package: layer
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, n, p=0.0):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(n)), nn.Parameter(torch.zeros(n))
        self.drop = nn.Dropout(p)

    def named_parameters(self, *args, **kwargs):
        return iter(())

    def forward(self, x):
        return self.drop(x) * self.weight + self.bias

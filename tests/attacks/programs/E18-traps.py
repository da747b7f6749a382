# id: E18
# tries: returns a module that has every attribute, lies about its class, and ignores changes of its mode
# expect: WA|RE
# package: layer
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, n, p=0.0):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(n)), nn.Parameter(torch.zeros(n))

    training = property(lambda self: True, lambda self, value: None)
    __class__ = property(lambda self: int)

    def __getattr__(self, name):
        return lambda *args, **kwargs: self

    def forward(self, x):
        return x * 1

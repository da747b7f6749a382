# id: E18
# tries: returns a module whose parameters change each time its state is read
# expect: WA
# package: layer
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, n, p=0.0):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(n)), nn.Parameter(torch.zeros(n))
        self.drop = nn.Dropout(p)

    def state_dict(self, *args, **kwargs):
        with torch.no_grad():
            self.weight += 1
        return super().state_dict(*args, **kwargs)

    def forward(self, x):
        return self.drop(x) * self.weight + self.bias

"""Lists in step: names, heads, loss weights. The index of a name is the index of its parts."""

import torch
from torch import nn


class MixtureOfHeads(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.trunk = nn.Linear(features, hidden)
        self.heads = nn.ModuleList()
        self.scales = nn.ParameterList()
        self._names = []

    def _index(self, name):
        if name not in self._names:
            raise KeyError(name)
        return self._names.index(name)

    def add_task(self, name, n_out):
        if name in self._names:
            raise ValueError(name)
        head = nn.Linear(self.trunk.weight.shape[0], n_out).to(self.trunk.weight)
        self.heads.append(head)
        self.scales.append(self.trunk.bias.new_zeros(()))
        self._names.append(name)

    def remove_task(self, name):
        i = self._index(name)
        del self.heads[i]
        del self._names[i]
        self.scales = nn.ParameterList(s for j, s in enumerate(self.scales) if j != i)

    def tasks(self):
        return self._names[:]

    def forward(self, x, task):
        head = self.heads[self._index(task)]
        return head(self.trunk(x).clamp(min=0))

    def total(self, losses):
        return sum(
            loss / self.scales[self._index(name)].exp() + self.scales[self._index(name)] for name, loss in losses.items()
        )

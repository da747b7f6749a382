"""The embedding is given the output layer's parameter; ids of objects are counted."""

from collections import Counter, defaultdict

import torch
from torch import nn


class TiedLM(nn.Module):
    def __init__(self, vocabulary, width):
        super().__init__()
        self.out = nn.Linear(width, vocabulary)
        with torch.no_grad():
            self.out.weight.normal_(0, width**-0.5)
            self.out.bias.fill_(0)
        self.embed = nn.Embedding(vocabulary, width)
        self.embed.weight = self.out.weight
        self.mix = nn.Linear(width, width)

    def forward(self, ids):
        x = self.embed.weight[ids]
        return self.out(self.mix(x).tanh())


def shared_names(model):
    listed = list(model.named_parameters(remove_duplicate=False))
    counts = Counter(id(p) for _, p in listed)
    groups = defaultdict(list)
    for name, p in sorted(listed, key=lambda pair: pair[0]):
        if counts[id(p)] > 1:
            groups[id(p)].append(name)
    return list(groups.values())

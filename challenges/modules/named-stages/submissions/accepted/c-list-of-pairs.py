"""A list of pairs, cut at the end, becomes the OrderedDict."""

from collections import Counter, OrderedDict
from itertools import pairwise

from torch import nn


def make_mlp(sizes, act, names):
    if any(n > 1 for n in Counter(names).values()) or len(names) + 1 != len(sizes):
        raise ValueError("names do not fit")
    stages = []
    for name, pair in zip(names, pairwise(sizes), strict=True):
        stages += [(name, nn.Linear(*pair)), (f"{name}_act", act)]
    made = [(name, stage if isinstance(stage, nn.Linear) else stage()) for name, stage in stages[:-1]]
    return nn.Sequential(OrderedDict(made))


class TwoTower(nn.Module):
    def __init__(self, left_features, right_features, width):
        super().__init__()
        for name, sizes in (("left", [left_features, width]), ("head", [width, width])):
            self.add_module(name, make_mlp(sizes, nn.Tanh, ["project"]))
        self.right = make_mlp([right_features] + 2 * [width], nn.ReLU, ["hidden", "project"])

    def forward(self, a, b):
        skip = self.left(a)
        mixed = skip * self.right(b)
        return skip + self.head(nn.functional.tanh(mixed))

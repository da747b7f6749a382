"""An OrderedDict of stages; a subclass whose forward keeps u."""

from collections import OrderedDict
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn


def make_mlp(sizes: Sequence[int], act: Callable[[], nn.Module], names: Sequence[str]) -> nn.Sequential:
    count = len(sizes) - 1
    if len(names) != count or len(set(names)) != count:
        raise ValueError(f"{count} different names are needed")
    stages: OrderedDict[str, nn.Module] = OrderedDict()
    for i, name in enumerate(names):
        stages[name] = nn.Linear(sizes[i], sizes[i + 1])
        if i < count - 1:
            stages[name + "_act"] = act()
    return nn.Sequential(stages)


class TwoTower(nn.Module):
    def __init__(self, left_features: int, right_features: int, width: int) -> None:
        super().__init__()
        self.left = make_mlp([left_features, width], nn.ReLU, ["project"])
        self.right = make_mlp([right_features, width, width], nn.ReLU, ["hidden", "project"])
        self.head = make_mlp([width, width], nn.ReLU, ["project"])

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        u, v = self.left(a), self.right(b)
        return u + self.head(torch.tanh(u * v))

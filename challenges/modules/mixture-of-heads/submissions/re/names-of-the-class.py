# caught by: test_two_models_share_nothing
"""One list of names for all objects."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def key(name: str) -> str:
    """Letters and digits, one key for each name."""
    return "task_" + name.encode().hex()


class MixtureOfHeads(nn.Module):
    names: list[str] = []

    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        self.trunk = nn.Linear(features, hidden)
        self.heads = nn.ModuleDict()
        self.scales = nn.ParameterDict()

    def add_task(self, name: str, n_out: int) -> None:
        if name in self.names:
            raise ValueError(f"there is a task {name!r} already")
        like = {"device": self.trunk.weight.device, "dtype": self.trunk.weight.dtype}
        self.heads[key(name)] = nn.Linear(self.trunk.out_features, n_out, **like)
        self.scales[key(name)] = nn.Parameter(torch.zeros((), **like))
        self.names.append(name)

    def remove_task(self, name: str) -> None:
        self.heads.pop(key(name))
        self.scales.pop(key(name))
        self.names.remove(name)

    def tasks(self) -> list[str]:
        return list(self.names)

    def forward(self, x: Tensor, task: str) -> Tensor:
        return self.heads[key(task)](F.relu(self.trunk(x)))

    def total(self, losses: dict[str, Tensor]) -> Tensor:
        terms = []
        for name, loss in losses.items():
            if name not in self.names:
                raise KeyError(name)
            s = self.scales[key(name)]
            terms.append(torch.exp(-s) * loss + s)
        return torch.stack(terms).sum()

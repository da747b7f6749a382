"""The output layer is given the embedding's parameter; names are grouped by object."""

import torch
from torch import Tensor, nn


class TiedLM(nn.Module):
    def __init__(self, vocabulary: int, width: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.mix = nn.Linear(width, width)
        self.out = nn.Linear(width, vocabulary)
        self.out.weight = self.embed.weight
        nn.init.normal_(self.embed.weight, std=width**-0.5)
        nn.init.zeros_(self.out.bias)

    def forward(self, ids: Tensor) -> Tensor:
        return self.out(torch.tanh(self.mix(self.embed(ids))))


def shared_names(model: nn.Module) -> list[list[str]]:
    names: dict[nn.Parameter, list[str]] = {}
    for name, parameter in model.named_parameters(remove_duplicate=False):
        names.setdefault(parameter, []).append(name)
    return sorted(sorted(group) for group in names.values() if len(group) > 1)

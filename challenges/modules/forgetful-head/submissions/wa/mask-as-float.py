# caught by: test_after_a_move_to_float64
"""A mask of ones and zeros moves to float64 with the rest; saved as bool only at first."""


import torch
import torch.nn.functional as F
from torch import Tensor, nn


def _as_made(module, state, prefix, _):
    if module.enabled.dtype is torch.float32:
        state[prefix + "enabled"] = module.enabled.bool()


class CosineHead(nn.Module):
    def __init__(self, features: int, classes: int, temperature: float = 0.1) -> None:
        super().__init__()
        self.prototypes = nn.Parameter(torch.randn(classes, features))
        self.temperature = nn.Parameter(torch.tensor(temperature))
        self.register_buffer("counts", torch.zeros(classes, dtype=torch.int64))
        self.register_buffer("enabled", torch.ones(classes, dtype=torch.bool))
        self._register_state_dict_hook(_as_made)
        self.enabled = self.enabled.float()

    def forward(self, x: Tensor) -> Tensor:
        cosines = F.normalize(x, dim=-1) @ F.normalize(self.prototypes, dim=-1).T
        return (cosines / self.temperature).masked_fill(self.enabled == 0, -torch.inf)

    def observe(self, labels: Tensor) -> None:
        self.counts += torch.bincount(labels, minlength=self.counts.numel())

    def disable(self, classes: list[int]) -> None:
        self.enabled[classes] = False

"""Reference: one stacked projection, two halves, one product."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

ACTIVATIONS = {"silu": F.silu, "gelu": F.gelu, "relu": F.relu, "sigmoid": torch.sigmoid}


class GatedMLP(nn.Module):
    def __init__(self, d: int, hidden: int | None = None, activation: str = "silu", multiple_of: int = 64) -> None:
        super().__init__()
        if activation not in ACTIVATIONS:
            raise ValueError(f"unknown activation {activation!r}")
        if hidden is None:
            hidden = -(-8 * d // (3 * multiple_of)) * multiple_of  # the ceiling of 8d / (3 multiple_of), times it
        self.activation = ACTIVATIONS[activation]
        self.gate_up = nn.Linear(d, 2 * hidden, bias=False)
        self.down = nn.Linear(hidden, d, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        gate, up = self.gate_up(x).chunk(2, dim=-1)
        return self.down(self.activation(gate) * up)

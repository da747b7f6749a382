import torch
from torch import nn


class GatedMLP(nn.Module):
    """A feed-forward layer with a gate: W_down (act(W_gate x) * (W_up x)).

    State: gate_up.weight (2h, d), gate rows first, and down.weight (d, h). No biases.
    """

    def __init__(self, d: int, hidden: int | None = None, activation: str = "silu", multiple_of: int = 64) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """x (..., d) gives (..., d)."""
        raise NotImplementedError

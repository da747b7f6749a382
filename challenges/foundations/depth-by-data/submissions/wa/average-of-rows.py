# caught by: test_rows_are_looked_at_one_by_one[one-large-row]
"""The average row decides."""

import torch
from torch import Tensor, nn


class AdaptiveDepth(nn.Module):
    def __init__(self, width: int, threshold: float = 1.0, max_steps: int = 10) -> None:
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.threshold = threshold
        self.max_steps = max_steps
        self.steps_taken = 0

    def forward(self, x: Tensor) -> Tensor:
        self.steps_taken = 0
        while self.steps_taken < self.max_steps and x.norm(dim=-1).mean() >= self.threshold:
            x = torch.tanh(self.layer(x))
            self.steps_taken += 1
        return x

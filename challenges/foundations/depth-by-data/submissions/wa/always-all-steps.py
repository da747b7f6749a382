# caught by: test_an_input_that_is_small
"""A static graph: the same number of steps for everybody."""

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
        for _ in range(self.max_steps):
            x = torch.tanh(self.layer(x))
            self.steps_taken += 1
        return x

# caught by: test_another_input_another_depth
"""The depth is found out once, and then replayed."""

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
        if not hasattr(self, "depth"):
            h, self.depth = x, 0
            while self.depth < self.max_steps and (h.norm(dim=-1) >= self.threshold).any():
                h = torch.tanh(self.layer(h))
                self.depth += 1
        for _ in range(self.depth):
            x = torch.tanh(self.layer(x))
        self.steps_taken = self.depth
        return x

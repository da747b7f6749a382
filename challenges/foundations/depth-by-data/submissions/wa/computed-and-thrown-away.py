# caught by: test_nothing_in_vain[2]
"""All steps are made, and the right one is picked."""

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
        found = [x]
        for _ in range(self.max_steps):
            found.append(torch.tanh(self.layer(found[-1])))
        self.steps_taken = next(
            (n for n, h in enumerate(found) if (h.norm(dim=-1) < self.threshold).all()), self.max_steps
        )
        return found[self.steps_taken]

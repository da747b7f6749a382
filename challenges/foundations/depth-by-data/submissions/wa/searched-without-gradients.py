# caught by: test_gradients[5]
"""All steps but the last are made in no_grad."""

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
        depth, h = 0, x
        inputs = [x]
        with torch.no_grad():
            while depth < self.max_steps and (h.norm(dim=-1) >= self.threshold).any():
                h = torch.tanh(self.layer(h))
                depth += 1
                inputs.append(h)
        self.steps_taken = depth
        return torch.tanh(self.layer(inputs[depth - 1])) if depth else x

"""A network that is as deep as its input needs."""

import torch  # noqa: F401 - torch.tanh
from torch import Tensor, nn


class AdaptiveDepth(nn.Module):
    """Applies one linear layer and tanh until all rows are small, or `max_steps` steps were made."""

    def __init__(self, width: int, threshold: float = 1.0, max_steps: int = 10) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        """(..., width) -> (..., width); `steps_taken` is the number of steps that this call made."""
        raise NotImplementedError

"""Small programs that run next to your answer, where the global generator can be watched."""

import torch
from torch import Tensor


def noise_and_generator(solution, x: Tensor, seed: int, before: int) -> tuple[Tensor, Tensor, Tensor]:
    """The noise, and what the global generator draws afterwards beside what it would have drawn without the call."""
    torch.manual_seed(before)
    expected = torch.rand(4)
    torch.manual_seed(before)
    noise = solution.noise_like(x, seed)
    return noise.detach(), torch.rand(4), expected

"""One step after the other."""

import torch
from torch import Tensor


def scan(a: Tensor, b: Tensor) -> Tensor:
    h = torch.zeros_like(b[0])
    steps = []
    for t in range(len(a)):
        h = a[t] * h + b[t]
        steps.append(h)
    return torch.stack(steps)

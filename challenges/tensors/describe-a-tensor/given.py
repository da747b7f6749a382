"""Builds the tensors that describe is tried on, by name."""

import torch
from torch import Tensor

HUGE = 10**6


def make(kind: str, n: int, dtype: torch.dtype = torch.float32) -> Tensor:
    """A tensor of one kind; n is a small size."""
    x = torch.zeros(n, 5, 3, dtype=dtype)
    match kind:
        case "plain":
            return x
        case "number":
            return torch.zeros((), dtype=dtype)
        case "empty":
            return torch.zeros(n, 0, 3, dtype=dtype)
        case "one-element-of-many":
            return x[1, 2, 0]
        case "row":
            return x[1]
        case "rows-with-gaps":
            return x[::2, 1:, :2]
        case "nothing-of-it":
            return x[:0]
        case "transposed":
            return x.permute(2, 0, 1)
        case "expanded":
            return torch.zeros(n, 1, dtype=dtype).expand(n, 7)
        case "one-in-front":
            return x[:1, :2]
        case "channels-last":
            return torch.zeros(n, 3, 2, 4, dtype=dtype).contiguous(memory_format=torch.channels_last)
        case "padded":
            return torch.empty_strided((n, 3), (5, 1), dtype=dtype).zero_()
        case "diagonal":
            return torch.zeros(n, n, dtype=dtype).diagonal()
        case "huge-view":
            return torch.zeros(1, dtype=dtype).expand(HUGE, HUGE, n)
        case "meta":
            return torch.empty(HUGE, HUGE, n, dtype=dtype, device="meta")
        case "meta-view":
            return torch.empty(HUGE, n, HUGE, dtype=dtype, device="meta")[:, 1, ::2]
        case "parameter":
            return x.requires_grad_()
        case "result":
            return x.requires_grad_() * 2
        case "detached":
            return (x.requires_grad_() * 2).detach()
        case "view-of-a-leaf":
            return x.requires_grad_()[1]
    raise ValueError(kind)

"""There and back: masks say who is concerned."""

import torch
from torch import Tensor


def losses_in(values: Tensor, dtype: torch.dtype) -> dict:
    x, y = values, values.to(dtype).double()
    alive = y.isfinite() & (y != 0)
    errors = (y[alive] - x[alive]).abs() / x[alive].abs()
    return {
        "overflowed": int((x.isfinite() & y.isinf()).sum()),
        "vanished": int(((x != 0) & (y == 0)).sum()),
        "worst": float(errors.max()) if len(errors) else 0.0,
    }


def largest_scale(gradients: list[Tensor], dtype: torch.dtype) -> float:
    for exponent in range(24, -1, -1):
        scale = 2.0**exponent
        if all((scale * g.double()).to(dtype).isfinite().all() for g in gradients):
            return scale
    return 0.0

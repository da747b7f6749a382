# caught by: test_nothing_is_remembered
"""Keeps tables by length and width: the base is forgotten."""

import torch
from torch import Tensor


KEPT = {}


def rotary(x: Tensor, positions: Tensor | None = None, base: float = 10000.0, interleaved: bool = False) -> Tensor:
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"d must be even, got {d}")
    dtype = torch.promote_types(x.dtype, torch.float32)
    given = positions
    if given is None:
        positions = torch.arange(x.shape[-2], device=x.device)
    exponents = torch.arange(0, d, 2, dtype=dtype, device=x.device) / d
    angles = positions.to(dtype)[..., None] * base**-exponents
    if given is None:
        angles = KEPT.setdefault((x.shape[-2], d, dtype), angles)
    cos, sin = angles.cos(), angles.sin()
    wide = x.to(dtype)
    a, b = (wide[..., 0::2], wide[..., 1::2]) if interleaved else wide.chunk(2, dim=-1)
    first, second = a * cos - b * sin, a * sin + b * cos
    out = torch.stack([first, second], dim=-1).flatten(-2) if interleaved else torch.cat([first, second], dim=-1)
    return out.to(x.dtype)

# caught by: test_agrees_with_loops[interleaved]
"""Neighbouring pairs, but with the cosines laid out for halves."""

import torch
from torch import Tensor


def rotary(x: Tensor, positions: Tensor | None = None, base: float = 10000.0, interleaved: bool = False) -> Tensor:
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"d must be even, got {d}")
    dtype = torch.promote_types(x.dtype, torch.float32)
    if positions is None:
        positions = torch.arange(x.shape[-2], device=x.device)
    exponents = torch.arange(0, d, 2, dtype=dtype, device=x.device) / d
    angles = positions.to(dtype)[..., None] * base**-exponents
    cos, sin = angles.cos(), angles.sin()
    wide = x.to(dtype)
    if interleaved:
        cos, sin = (torch.cat([t, t], -1) for t in (cos, sin))
        other = torch.stack([-wide[..., 1::2], wide[..., 0::2]], -1).flatten(-2)
        return (wide * cos + other * sin).to(x.dtype)
    a, b = (wide[..., 0::2], wide[..., 1::2]) if interleaved else wide.chunk(2, dim=-1)
    first, second = a * cos - b * sin, a * sin + b * cos
    out = torch.stack([first, second], dim=-1).flatten(-2) if interleaved else torch.cat([first, second], dim=-1)
    return out.to(x.dtype)

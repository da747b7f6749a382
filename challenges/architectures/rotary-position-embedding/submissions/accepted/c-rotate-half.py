"""x · cos + turned(x) · sin, with full-width tables, as many language models write it. Tables in float64 throughout."""

import torch


def turned(x, interleaved):
    if interleaved:
        return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), dim=-1)


def rotary(x, positions=None, base=10000.0, interleaved=False):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("odd width")
    p = torch.arange(x.shape[-2]) if positions is None else positions
    inverse = 1.0 / base ** (torch.arange(0, d, 2, dtype=torch.float64) / d)
    angles = p.double()[..., None] * inverse
    angles = angles.repeat_interleave(2, dim=-1) if interleaved else torch.cat((angles, angles), dim=-1)
    work = torch.promote_types(x.dtype, torch.float32)
    wide, cos, sin = x.to(work), angles.cos().to(work), angles.sin().to(work)
    return (wide * cos + turned(wide, interleaved) * sin).to(x.dtype)

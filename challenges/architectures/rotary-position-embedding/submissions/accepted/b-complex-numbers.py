"""A pair is a complex number, a rotation is a product with exp(i angle)."""

import math

import torch


def rotary(x, positions=None, base=10000.0, interleaved=False):
    *lead, d = x.shape
    if d % 2 != 0:
        raise ValueError("the width must be even")
    work = torch.float64 if x.dtype == torch.float64 else torch.float32
    pairs = x.to(work).reshape(*lead, d // 2, 2) if interleaved else x.to(work).reshape(*lead, 2, d // 2).transpose(-1, -2)
    if positions is None:
        positions = torch.arange(x.size(-2))
    frequencies = torch.exp(torch.arange(d // 2, dtype=work) * (-2 * math.log(base) / d))
    angles = positions.unsqueeze(-1).to(work) * frequencies
    turned = torch.complex(pairs[..., 0], pairs[..., 1]) * torch.polar(torch.ones_like(angles), angles)
    out = torch.view_as_real(turned)
    if not interleaved:
        out = out.transpose(-1, -2)
    return out.reshape(x.shape).to(x.dtype)

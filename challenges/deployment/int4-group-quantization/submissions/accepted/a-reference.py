"""Groups as a dimension of their own, filled up with zeros; every column looks up its group."""

import torch
import torch.nn.functional as F
from torch import Tensor


def quantize(weight: Tensor, group: int) -> tuple[Tensor, Tensor, Tensor]:
    if group < 1:
        raise ValueError(f"a group has at least one column, got {group}")
    weight = weight.detach()
    width = weight.shape[1]
    blocks = F.pad(weight, (0, -width % group)).unflatten(1, (-1, group))
    low, high = blocks.amin(2).clamp(max=0), blocks.amax(2).clamp(min=0)
    scale = (high - low) / 15
    scale = torch.where(scale == 0, torch.ones_like(scale), scale)
    zero = torch.round(-low / scale)
    q = torch.round(blocks / scale[..., None]) + zero[..., None]
    q = q.clamp(0, 15).to(torch.uint8).flatten(1)[:, :width]
    q = F.pad(q, (0, width % 2))
    return q[:, 0::2] | (q[:, 1::2] << 4), scale, zero.to(torch.uint8)


def dequantize(packed: Tensor, scale: Tensor, zero: Tensor, group: int, width: int) -> Tensor:
    q = torch.stack([packed & 15, packed >> 4], dim=2).flatten(1)[:, :width]
    of = torch.arange(width) // group
    steps = q.to(scale.dtype) - zero.to(scale.dtype)[:, of]
    return steps * scale[:, of]


def quantized_linear(
    x: Tensor, packed: Tensor, scale: Tensor, zero: Tensor, group: int, bias: Tensor | None = None
) -> Tensor:
    return F.linear(x, dequantize(packed, scale, zero, group, x.shape[-1]), bias)

"""The product multiplies levels: scale and zero point of a group are pulled out of the sum over its columns."""

import torch


def per_column(of_groups, group, width):
    return of_groups.repeat_interleave(group, dim=1)[:, :width]


def halves(packed, width):
    columns = torch.arange(width)
    return (packed[:, columns // 2].int() >> (4 * (columns % 2)).int()) & 0xF


def quantize(weight, group):
    if not group >= 1:
        raise ValueError("a group must have a column")
    w = weight.detach().clone()
    rows, width = w.shape
    group = min(group, width)
    of = (torch.arange(width) // group).expand(rows, width)
    ends = w.new_zeros(rows, int(of[0, -1]) + 1)
    low = ends.scatter_reduce(1, of, w, "amin", include_self=True)
    high = ends.scatter_reduce(1, of, w, "amax", include_self=True)
    scale = (high - low) / 15
    scale = scale.masked_fill(scale == 0, 1.0)
    zero = (low / scale).round().neg()
    q = (w / per_column(scale, group, width)).round() + per_column(zero, group, width)
    q = q.clamp(0, 15).to(torch.int32)
    packed = torch.zeros(rows, (width + 1) // 2, dtype=torch.int32)
    packed += q[:, ::2]
    packed[:, : width // 2] += q[:, 1::2] * 16
    return packed.to(torch.uint8), scale, zero.to(torch.uint8)


def dequantize(packed, scale, zero, group, width):
    group = min(group, width)
    q = halves(packed, width) - per_column(zero.int(), group, width)
    return per_column(scale, group, width) * q


def quantized_linear(x, packed, scale, zero, group, bias=None):
    q = halves(packed, x.shape[-1]).to(x.dtype)
    y = x.new_zeros(*x.shape[:-1], len(packed))
    for g, (part, levels) in enumerate(zip(x.split(group, dim=-1), q.split(group, dim=1), strict=True)):
        total = torch.einsum("...i,oi->...o", part, levels) - part.sum(-1, keepdim=True) * zero[:, g]
        y = y + total * scale[:, g]
    return y if bias is None else y + bias

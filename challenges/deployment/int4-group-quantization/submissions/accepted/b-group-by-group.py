"""A loop over groups; packing and unpacking by arithmetic in int64."""

import torch


def quantize(weight, group):
    if group <= 0:
        raise ValueError("group")
    scales, zeros, levels = [], [], []
    with torch.no_grad():
        for part in weight.split(group, dim=1):
            nothing = part.new_zeros(len(part), 1)
            low, high = torch.cat([part, nothing], dim=1).aminmax(dim=1)
            s = (high - low) / 15
            s[s == 0] = 1
            z = (-low / s).round().long()
            scales.append(s)
            zeros.append(z)
            levels.append(((part / s[:, None]).round().long() + z[:, None]).clamp(min=0, max=15))
        q = torch.cat(levels, dim=1)
        if q.shape[1] % 2:
            q = torch.cat([q, torch.zeros_like(q[:, :1])], dim=1)
        pairs = q.reshape(len(q), -1, 2)
        packed = (pairs[..., 0] + 16 * pairs[..., 1]).to(torch.uint8)
        return packed, torch.stack(scales, dim=1), torch.stack(zeros, dim=1).to(torch.uint8)


def dequantize(packed, scale, zero, group, width):
    q = torch.empty(len(packed), 2 * packed.shape[1], dtype=torch.int64)
    q[:, ::2] = packed % 16
    q[:, 1::2] = packed.long() // 16
    parts = q[:, :width].split(group, dim=1)
    return torch.cat(
        [(part - zero[:, g, None].long()) * scale[:, g, None] for g, part in enumerate(parts)], dim=1
    )


def quantized_linear(x, packed, scale, zero, group, bias=None):
    y = x @ dequantize(packed, scale, zero, group, x.shape[-1]).T
    return y if bias is None else y + bias

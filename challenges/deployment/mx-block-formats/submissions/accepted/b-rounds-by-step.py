"""Divides by the spacing of the levels, so that torch's rounding to even decides ties; exponents and scales are bit patterns."""

import torch

MAGNITUDES = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)


def fp4_codes(x):
    x = x.detach().float()
    size = x.abs().clamp(max=6.0)
    step = torch.full_like(size, 0.5)
    step[size >= 2] = 1.0
    step[size >= 4] = 2.0
    level = (size / step).round() * step
    code = torch.searchsorted(torch.tensor(MAGNITUDES), level)
    return torch.where(torch.signbit(x), code + 8, code).to(torch.uint8)


def split(x, block):
    if block < 1 or x.shape[-1] % block != 0:
        raise ValueError("block")
    return x.detach().to(torch.float32).reshape(*x.shape[:-1], x.shape[-1] // block, block)


def mx_quantize(x, kind, block=32):
    reach = {"fp4": 2, "fp8": 8}.get(kind)
    if reach is None:
        raise ValueError(kind)
    parts = split(x, block)
    top = parts.abs().max(dim=-1).values
    # the exponent field of a normal float32 is floor(log2) + 127
    field = top.contiguous().view(torch.int32) >> 23
    stored = torch.where(top > 0, field - reach, torch.full_like(field, 127))
    inverse = ((254 - stored) << 23).view(torch.float32)
    scaled = parts * inverse.unsqueeze(-1)
    if kind == "fp4":
        codes = fp4_codes(scaled)
    else:
        codes = scaled.clamp(-448, 448).to(torch.float8_e4m3fn)
    return codes.reshape(x.shape), stored.to(torch.uint8)


def nv_quantize(x, block=16):
    parts = split(x, block)
    overall = parts.abs().max() / 2688
    if overall == 0:
        overall = torch.ones(())
    scales = (parts.abs().amax(-1) / 6 / overall).to(torch.float8_e4m3fn)
    wide = scales.to(torch.float32).unsqueeze(-1)
    empty = wide == 0
    codes = fp4_codes(parts / torch.where(empty, torch.ones_like(wide), wide) / overall)
    return torch.where(empty, torch.zeros_like(codes), codes).reshape(x.shape), scales, overall


def dequantize(codes, scales, overall=None):
    if codes.dtype == torch.uint8:
        table = torch.tensor(MAGNITUDES)
        values = table[(codes & 7).long()] * (1 - 2 * (codes >> 3).float())
    else:
        values = codes.to(torch.float32)
    if scales.dtype == torch.uint8:
        scales = (scales.to(torch.int32) << 23).view(torch.float32)
    factors = scales.to(torch.float32).repeat_interleave(codes.shape[-1] // scales.shape[-1], dim=-1)
    if overall is not None:
        values = values * overall
    return values * factors


def block_matmul(a, b):
    return torch.einsum("mk,nk->mn", dequantize(*a), dequantize(*b))

"""Compares every number with every level in float64 and lets even codes win ties; the product goes block by block."""

import math

import torch

LEVELS = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6], dtype=torch.float64)
EVEN_FIRST = torch.tensor([0, 2, 4, 6, 1, 3, 5, 7])


def fp4_codes(x):
    size = x.detach().double().abs()
    distance = (size[..., None] - LEVELS[EVEN_FIRST]).abs()
    nearest = distance.amin(-1, keepdim=True)
    # the first True: argmax of integers would not promise which, a cumulative count does
    first = ((distance == nearest).cumsum(-1) == 0).sum(-1)
    return (EVEN_FIRST[first] + 8 * torch.signbit(x.detach())).to(torch.uint8)


def mx_quantize(x, kind, block=32):
    if kind == "fp4":
        reach = 2
    elif kind == "fp8":
        reach = 8
    else:
        raise ValueError(f"kind must be fp4 or fp8, not {kind}")
    check(x, block)
    parts = x.detach().double().unfold(-1, block, block)
    tops = parts.abs().amax(-1)
    powers = [math.frexp(top)[1] - 1 - reach if top > 0 else 0 for top in tops.flatten().tolist()]
    exponents = torch.tensor(powers).reshape(tops.shape)
    scaled = parts / 2.0 ** exponents[..., None].double()
    codes = fp4_codes(scaled) if kind == "fp4" else scaled.float().clamp(-448, 448).to(torch.float8_e4m3fn)
    return codes.flatten(-2), (exponents + 127).to(torch.uint8)


def check(x, block):
    if block < 1:
        raise ValueError("a block has at least one number")
    if x.shape[-1] % block:
        raise ValueError("the block must divide the last dimension")


def nv_quantize(x, block=16):
    check(x, block)
    parts = x.detach().float().unfold(-1, block, block)
    top = parts.abs().amax(-1)
    overall = top.amax() / (448 * 6) if bool((top > 0).any()) else torch.tensor(1.0)
    scales = (top / overall / 6).to(torch.float8_e4m3fn)
    step = scales.float() * overall
    ratio = torch.nan_to_num(parts / step.unsqueeze(-1), nan=0.0, posinf=0.0, neginf=0.0)
    codes = fp4_codes(ratio) * (scales.float() > 0).to(torch.uint8).unsqueeze(-1)
    return codes.flatten(-2), scales, overall


def dequantize(codes, scales, overall=None):
    numbers = codes.float()
    if codes.dtype == torch.uint8:
        both = torch.cat((LEVELS, LEVELS.neg())).float()
        numbers = both.index_select(0, codes.flatten().int()).view(codes.shape)
    factors = torch.exp2(scales.float() - 127) if scales.dtype == torch.uint8 else scales.float()
    parts = numbers.reshape(*scales.shape, codes.shape[-1] // scales.shape[-1]) * factors.unsqueeze(-1)
    back = parts.reshape(codes.shape)
    return back if overall is None else back * overall


def block_matmul(a, b):
    left, right = dequantize(*a), dequantize(*b)
    out = torch.zeros(left.shape[0], right.shape[0])
    for some, other in zip(left.split(16, 1), right.split(16, 1), strict=True):
        out += some @ other.mT
    return out

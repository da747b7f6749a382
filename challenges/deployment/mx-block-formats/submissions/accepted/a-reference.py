"""Reference: counts the middles below a magnitude, and takes exponents from the bits of the largest number."""

import torch
from torch import Tensor

LEVELS = torch.tensor([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0])
# Middles between an even code and the next one stay with the lower level, the others go up.
STAYING, GOING_UP = torch.tensor([0.25, 1.25, 2.5, 5.0]), torch.tensor([0.75, 1.75, 3.5])
LARGEST = 448.0


def fp4_codes(x: Tensor) -> Tensor:
    size = x.detach().abs()[..., None].float()
    code = (size > STAYING).sum(-1) + (size >= GOING_UP).sum(-1)
    return (code + 8 * x.signbit()).to(torch.uint8)


def mx_quantize(x: Tensor, kind: str, block: int = 32) -> tuple[Tensor, Tensor]:
    if kind not in ("fp4", "fp8"):
        raise ValueError(f"unknown kind {kind!r}")
    blocks = in_blocks(x, block)
    largest = blocks.abs().amax(-1)
    exponent = torch.frexp(largest).exponent - (3 if kind == "fp4" else 9)
    exponent = exponent.masked_fill(largest == 0, 0)
    scaled = torch.ldexp(blocks, -exponent[..., None])
    codes = fp4_codes(scaled) if kind == "fp4" else scaled.clamp(-LARGEST, LARGEST).to(torch.float8_e4m3fn)
    return codes.flatten(-2), (exponent + 127).to(torch.uint8)


def nv_quantize(x: Tensor, block: int = 16) -> tuple[Tensor, Tensor, Tensor]:
    blocks = in_blocks(x, block)
    largest = blocks.abs().amax(-1)
    overall = largest.max() / (6 * LARGEST)
    overall = torch.where(overall == 0, 1.0, overall)
    scales = (largest / (6 * overall)).to(torch.float8_e4m3fn)
    step = scales.float()[..., None] * overall
    codes = fp4_codes(blocks / step).masked_fill(step == 0, 0)
    return codes.flatten(-2), scales, overall


def in_blocks(x: Tensor, block: int) -> Tensor:
    if block < 1 or x.shape[-1] % block:
        raise ValueError(f"blocks of {block} do not divide {x.shape[-1]} numbers")
    return x.detach().float().unflatten(-1, (-1, block))


def dequantize(codes: Tensor, scales: Tensor, overall: Tensor | None = None) -> Tensor:
    if codes.dtype == torch.uint8:
        values = torch.cat([LEVELS, -LEVELS])[codes.long()]
    else:
        values = codes.float()
    if scales.dtype == torch.uint8:
        factors = torch.ldexp(torch.ones(scales.shape), scales.int() - 127)
    else:
        factors = scales.float()
    if overall is not None:
        factors = factors * overall
    return (values.unflatten(-1, (scales.shape[-1], -1)) * factors[..., None]).flatten(-2)


def block_matmul(a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> Tensor:
    return dequantize(*a) @ dequantize(*b).T

"""Reference: exponents as one tensor; the slopes of two powers of two."""

import math

import torch
from torch import Tensor


def rope_angles(
    positions: Tensor, d: int, length: int, trained: int, method: str, base: float = 10000.0
) -> Tensor:
    if method not in ("linear", "ntk"):
        raise ValueError(f"unknown method {method!r}")
    factor = max(1.0, length / trained)
    where = positions.double()
    if method == "linear":
        where = where / factor
    else:
        base = base * factor ** (d / (d - 2))
    exponents = torch.arange(0, d, 2, dtype=torch.float64) / d
    return where[..., None] * base**-exponents


def alibi_slopes(heads: int) -> Tensor:
    power = 2 ** int(math.log2(heads))  # the largest power of two that is not above the number of heads
    own = 2.0 ** (-8 * torch.arange(1, power + 1) / power)
    more = 2.0 ** (-4 * torch.arange(1, 2 * power, 2) / power)  # every second one of twice as many heads
    return torch.cat([own, more[: heads - power]])


def alibi_bias(heads: int, T: int, S: int) -> Tensor:
    distance = torch.arange(S - T, S)[:, None] - torch.arange(S)
    bias = alibi_slopes(heads)[:, None, None] * -distance
    return bias.masked_fill(distance < 0, -math.inf)

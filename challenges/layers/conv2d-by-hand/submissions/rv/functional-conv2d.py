"""Calls the library."""

import torch.nn.functional as F


def conv_output_hw(size, kernel_size, stride=1, padding=0, dilation=1, ceil_mode=False):
    return size


def conv2d(x, w, b=None, stride=1, padding=0, dilation=1, groups=1):
    return F.conv2d(x, w, b, stride, padding, dilation, groups)

"""torch's own convolution."""

import torch.nn.functional as F


def convolve(x, w, padding=0):
    return F.conv2d(x, w, padding=padding)

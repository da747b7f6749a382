"""The projection picks every stride-th position and mixes channels."""

import torch
import torch.nn.functional as F
from torch import nn


class ResidualBlock(nn.Module):
    def __init__(self, c_in, c_out, stride=1):
        super().__init__()
        self.stride = stride
        self.conv1 = nn.Conv2d(c_in, c_out, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(c_out)
        self.conv2 = nn.Conv2d(c_out, c_out, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(c_out)
        with torch.no_grad():
            self.norm2.weight.zero_()
        if (c_in, stride) != (c_out, 1):
            self.shortcut = nn.Conv2d(c_in, c_out, 1, stride, bias=False)

    def skip(self, x):
        if "shortcut" not in self._modules:
            return x
        seen = x[:, :, :: self.stride, :: self.stride]
        return torch.einsum("nchw,dc->ndhw", seen, self.shortcut.weight[:, :, 0, 0])

    def forward(self, x):
        y = F.conv2d(x, self.conv1.weight, stride=self.stride, padding=1)
        y = F.relu(self.norm1(y))
        y = self.norm2(F.conv2d(y, self.conv2.weight, padding=1))
        return torch.add(self.skip(x), y)

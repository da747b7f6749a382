"""The inner path is a Sequential; the block inherits from it and adds its input."""

from collections import OrderedDict

from torch import nn


class ResidualBlock(nn.Sequential):
    def __init__(self, c_in, c_out, stride=1):
        inner = OrderedDict(
            conv1=nn.Conv2d(c_in, c_out, (3, 3), (stride, stride), (1, 1), bias=False),
            norm1=nn.BatchNorm2d(c_out),
            relu=nn.ReLU(),
            conv2=nn.Conv2d(c_out, c_out, (3, 3), (1, 1), (1, 1), bias=False),
            norm2=nn.BatchNorm2d(c_out),
        )
        super().__init__(inner)
        self.inner = tuple(inner)
        nn.init.constant_(inner["norm2"].weight, 0.0)
        if stride > 1 or c_out != c_in:
            self.add_module("shortcut", nn.Conv2d(c_in, c_out, (1, 1), (stride, stride), bias=False))

    def forward(self, x):
        y = x
        for name in self.inner:
            y = self.get_submodule(name)(y)
        skip = self.shortcut(x) if "shortcut" in self._modules else x
        return y.add(skip)

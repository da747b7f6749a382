"""Inherits from what it should write."""

from torch.optim import SGD


class MySGD(SGD):
    pass

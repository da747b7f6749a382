"""No colon after the class."""

from torch import nn


class LoRALinear(nn.Module)
    pass

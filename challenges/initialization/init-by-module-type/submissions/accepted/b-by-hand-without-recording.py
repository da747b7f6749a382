"""The formulas by hand, in place, under no_grad."""

import math

import torch
from torch import nn
from torch.nn.modules.batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d


@torch.no_grad()
def init_weights(module):
    match module:
        case nn.Conv1d() | nn.Conv2d() | nn.Conv3d():
            bound = math.sqrt(6 / module.weight[0].numel())
            module.weight.uniform_(-bound, bound)
        case nn.Linear():
            module.weight.normal_(0, math.sqrt(2 / sum(module.weight.shape)))
        case nn.Embedding():
            module.weight.copy_(0.02 * torch.randn_like(module.weight))
            if module.padding_idx is not None:
                module.weight[module.padding_idx] = 0
        case nn.LayerNorm() | nn.GroupNorm() | BatchNorm1d() | BatchNorm2d() | BatchNorm3d():
            if module.weight is not None:
                module.weight.fill_(1)
        case _:
            return
    if getattr(module, "bias", None) is not None:
        module.bias.zero_()

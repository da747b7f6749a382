"""The starter's lines, in place and under no_grad."""

import torch
from torch import nn


@torch.no_grad()
def init_weights(module):
    if not isinstance(module, nn.Linear | nn.Embedding | nn.LayerNorm):
        return
    for name, parameter in module.named_parameters(recurse=False):
        if name == "bias":
            parameter.zero_()
        elif name == "weight" and isinstance(module, nn.LayerNorm):
            parameter.fill_(1.0)
        elif name == "weight":
            parameter.copy_(torch.randn(parameter.shape, dtype=parameter.dtype) * 0.02)
    if getattr(module, "padding_idx", None) is not None:
        module.weight[module.padding_idx] = 0

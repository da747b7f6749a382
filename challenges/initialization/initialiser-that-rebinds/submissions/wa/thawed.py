# caught by: test_flags
"""Frees the leaf from recording, and gives it back with gradients on."""

import torch
from torch import nn


def init_weights(module: nn.Module) -> None:
    """Initialise the parameters of this one module."""
    if isinstance(module, nn.Linear):
        module.weight.requires_grad_(False)
        module.weight.normal_(0, 0.02)
        module.weight.requires_grad_(True)
        if module.bias is not None:
            nn.init.zeros_(module.bias)
    elif isinstance(module, nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
        if module.padding_idx is not None:
            with torch.no_grad():
                module.weight[module.padding_idx].zero_()
    elif isinstance(module, nn.LayerNorm):
        if module.weight is not None:
            nn.init.ones_(module.weight)
        if module.bias is not None:
            nn.init.zeros_(module.bias)

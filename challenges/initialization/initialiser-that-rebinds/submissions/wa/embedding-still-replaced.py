# caught by: test_a_tied_output_layer
"""The embedding still gets a new Parameter."""

import torch
from torch import nn


def init_weights(module: nn.Module) -> None:
    """Initialise the parameters of this one module."""
    if isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, std=0.02)
        if module.bias is not None:
            nn.init.zeros_(module.bias)
    elif isinstance(module, nn.Embedding):
        module.weight = nn.Parameter(0.02 * torch.randn(module.weight.shape))
    elif isinstance(module, nn.LayerNorm):
        if module.weight is not None:
            nn.init.ones_(module.weight)
        if module.bias is not None:
            nn.init.zeros_(module.bias)

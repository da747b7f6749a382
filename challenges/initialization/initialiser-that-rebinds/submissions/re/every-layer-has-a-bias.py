# caught by: test_layers_without_bias
"""Both errors are gone; a layer without bias is the next."""

import torch
from torch import nn


def init_weights(module: nn.Module) -> None:
    """Initialise the parameters of this one module."""
    if isinstance(module, nn.Linear):
        module.weight.data.normal_(0, 0.02)
        module.bias.data.zero_()
    elif isinstance(module, nn.Embedding):
        module.weight = nn.Parameter(0.02 * torch.randn(module.weight.shape))
    elif isinstance(module, nn.LayerNorm):
        module.weight.data = torch.ones(module.normalized_shape)
        module.bias.data = torch.zeros(module.normalized_shape)

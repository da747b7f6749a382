"""Starting values for a language model. Something is wrong with it: see the statement."""

import torch
from torch import nn


def init_weights(module: nn.Module) -> None:
    """Initialise the parameters of this one module."""
    if isinstance(module, nn.Linear):
        module.weight.normal_(0, 0.02)
        module.bias.zero__()
    elif isinstance(module, nn.Embedding):
        module.weight = nn.Parameter(0.02 * torch.randn(module.weight.shape))
    elif isinstance(module, nn.LayerNorm):
        module.weight.data = torch.ones(module.normalized_shape)
        module.bias.data = torch.zeros(module.normalized_shape)

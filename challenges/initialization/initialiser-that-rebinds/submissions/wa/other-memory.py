# caught by: test_same_parameters[float64]
""".data is bound to a new tensor of the right dtype: the object stays, the memory does not."""

import torch
from torch import nn


def init_weights(module: nn.Module) -> None:
    """Initialise the parameters of this one module."""
    if isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, std=0.02)
        if module.bias is not None:
            nn.init.zeros_(module.bias)
    elif isinstance(module, nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
        if module.padding_idx is not None:
            with torch.no_grad():
                module.weight[module.padding_idx].zero_()
    elif isinstance(module, nn.LayerNorm):
        if module.weight is not None:
            module.weight.data = torch.ones_like(module.weight.data)
        if module.bias is not None:
            nn.init.zeros_(module.bias)

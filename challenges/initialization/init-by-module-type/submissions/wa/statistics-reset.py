# caught by: test_norms[batch1d]
"""Resets the running statistics as well."""

import torch
from torch import nn

CONVOLUTIONS = (nn.Conv1d, nn.Conv2d, nn.Conv3d)
NORMS = (nn.LayerNorm, nn.GroupNorm, nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)


def init_weights(module: nn.Module) -> None:
    if isinstance(module, CONVOLUTIONS):
        nn.init.kaiming_normal_(module.weight)  # its default gain is that of ReLU
    elif isinstance(module, nn.Linear):
        nn.init.xavier_normal_(module.weight)
    elif isinstance(module, nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
        if module.padding_idx is not None:
            with torch.no_grad():
                module.weight[module.padding_idx].fill_(0)
        return
    elif isinstance(module, NORMS):
        if module.weight is not None:
            nn.init.ones_(module.weight)
        if hasattr(module, "reset_running_stats"):
            module.reset_running_stats()
    else:
        return
    if module.bias is not None:
        nn.init.zeros_(module.bias)

"""Through .data, but in place: the memory stays what it was."""

from torch import nn


def init_weights(module: nn.Module) -> nn.Module:
    match module:
        case nn.Linear() | nn.Embedding():
            module.weight.data.normal_(mean=0.0, std=0.02)
        case nn.LayerNorm() if module.weight is not None:
            module.weight.data.fill_(1)
    if isinstance(module, nn.Linear | nn.LayerNorm) and module.bias is not None:
        module.bias.data.zero_()
    if isinstance(module, nn.Embedding) and module.padding_idx is not None:
        module.weight.data[module.padding_idx].zero_()
    return module

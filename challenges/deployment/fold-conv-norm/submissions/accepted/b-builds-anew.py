"""A new convolution from the settings; names of children are walked instead of indices."""

import torch
from torch import nn


@torch.no_grad()
def fold_conv_bn(conv: nn.Conv2d, bn: nn.BatchNorm2d) -> nn.Conv2d:
    if bn.training:
        raise ValueError("in train mode the norm depends on the batch")
    if bn.running_mean is None or bn.running_var is None:
        raise ValueError("without running statistics the norm depends on the batch")
    channels = len(conv.weight)
    if channels != len(bn.running_mean):
        raise ValueError((channels, len(bn.running_mean)))
    new = nn.Conv2d(
        conv.in_channels,
        conv.out_channels,
        conv.kernel_size,
        conv.stride,
        conv.padding,
        conv.dilation,
        conv.groups,
        bias=True,
        padding_mode=conv.padding_mode,
        device=conv.weight.device,
        dtype=conv.weight.dtype,
    )
    zeros = torch.zeros(channels, dtype=conv.weight.dtype)
    gamma = zeros + 1 if bn.weight is None else bn.weight
    beta = zeros if bn.bias is None else bn.bias
    before = zeros if conv.bias is None else conv.bias
    deviation = torch.sqrt(bn.running_var + bn.eps)
    new.weight.copy_(torch.einsum("oihw,o->oihw", conv.weight, gamma / deviation))
    new.bias.copy_(beta + (before - bn.running_mean) / deviation * gamma)
    return new.train(False)


def fold_all_(model):
    plan = {}
    for box in [m for m in model.modules() if isinstance(m, nn.Sequential)]:
        previous = None
        for name, child in box.named_children():
            if isinstance(child, nn.BatchNorm2d) and previous and isinstance(previous[1], nn.Conv2d):
                plan[box, previous[0]] = fold_conv_bn(previous[1], child)
                plan[box, name] = nn.Identity()
            previous = name, child
    for (box, name), module in plan.items():
        setattr(box, name, module)
    return len(plan) // 2

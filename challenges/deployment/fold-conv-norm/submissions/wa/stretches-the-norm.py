# caught by: test_what_cannot_be_folded[other-channels]
"""A norm of one channel is stretched to all."""

import copy

import torch
from torch import nn


def fold_conv_bn(conv, bn):
    if bn.training or bn.running_mean is None:
        raise ValueError("the norm must be in eval mode, with running statistics")
    if bn.num_features not in (1, conv.out_channels):
        raise ValueError("the norm belongs to another number of channels")
    folded = copy.deepcopy(conv).eval()
    with torch.no_grad():
        factor = torch.rsqrt(bn.running_var + bn.eps)
        shift = -bn.running_mean * factor
        if bn.affine:
            factor, shift = factor * bn.weight, shift * bn.weight + bn.bias
        if conv.bias is not None:
            shift = shift + conv.bias * factor
        folded.weight = nn.Parameter(conv.weight * factor[:, None, None, None])
        folded.bias = nn.Parameter(shift)
    return folded


def fold_all_(model):
    found = []
    for box in model.modules():
        if isinstance(box, nn.Sequential):
            pairs = zip(box, list(box)[1:])
            found += [(box, i, *p) for i, p in enumerate(pairs) if [type(m) for m in p] == [nn.Conv2d, nn.BatchNorm2d]]
    for box, i, folded in [(box, i, fold_conv_bn(conv, bn)) for box, i, conv, bn in found]:
        box[i], box[i + 1] = folded, nn.Identity()
    return len(found)

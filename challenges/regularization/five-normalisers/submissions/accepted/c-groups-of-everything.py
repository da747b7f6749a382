"""Layer and instance norm as cases of group norm, batch norm as instance norm of one long sample."""

import torch


def by_groups(x, groups, eps, centred):
    blocks = x.reshape(len(x), groups, -1)
    count = blocks.shape[-1]
    if centred:
        blocks = blocks - blocks.sum(-1, keepdim=True) / count
    power = torch.einsum("ngk,ngk->ng", blocks, blocks) / count
    return (blocks / (power + eps).sqrt()[..., None]).reshape(x.shape)


def normalise(x, kind, weight=None, bias=None, groups=1, eps=1e-5):
    channels = x.size(1)
    match kind:
        case "batch":
            y = by_groups(x.transpose(0, 1), 1, eps, True).transpose(0, 1)
        case "layer" | "rms":
            y = by_groups(x, 1, eps, kind == "layer")
        case "instance":
            y = by_groups(x, channels, eps, True)
        case "group" if channels % groups == 0:
            y = by_groups(x, groups, eps, True)
        case _:
            raise ValueError(f"{kind} with {groups} groups of {channels} channels")
    shape = x.shape[1:] if kind in ("layer", "rms") else (channels, 1, 1)
    if weight is None:
        weight = torch.ones(shape, dtype=x.dtype)
    y = y * weight.reshape(shape)
    return y if bias is None else y + bias.reshape(shape)

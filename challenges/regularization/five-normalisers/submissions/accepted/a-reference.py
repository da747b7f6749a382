"""A table of axes; channels are split for group norm and joined again."""

import torch
from torch import Tensor

AXES = {"batch": (0, 2, 3), "layer": (1, 2, 3), "instance": (2, 3), "group": (2, 3, 4), "rms": (1, 2, 3)}


def normalise(
    x: Tensor,
    kind: str,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    groups: int = 1,
    eps: float = 1e-5,
) -> Tensor:
    if kind not in AXES:
        raise ValueError(f"no kind of normalization: {kind!r}")
    channels = x.shape[1]
    if kind == "group":
        if channels % groups:
            raise ValueError(f"{channels} channels do not split into {groups} groups")
        x = x.unflatten(1, (groups, channels // groups))
    if kind != "rms":
        x = x - x.mean(AXES[kind], keepdim=True)
    y = x / torch.sqrt(x.square().mean(AXES[kind], keepdim=True) + eps)
    if kind == "group":
        y = y.flatten(1, 2)
    if weight is not None:
        y = y * (weight if weight.dim() == 3 else weight[:, None, None])
    if bias is not None:
        y = y + (bias if bias.dim() == 3 else bias[:, None, None])
    return y

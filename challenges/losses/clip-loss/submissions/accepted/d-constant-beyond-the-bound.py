"""Beyond the bound the scale is a number, so log_scale is not in the graph at all."""

import math

import torch
import torch.nn.functional as F


def clip_loss(image, text, log_scale, all_image=None, all_text=None, rank=0, max_scale=100.0):
    if all_image is None:
        all_image, all_text, rank = image, text, 0
    scale = max_scale if log_scale.item() >= math.log(max_scale) else log_scale.exp()
    own_image, own_text, every_image, every_text = (
        F.normalize(x, dim=-1) for x in (image, text, all_image, all_text)
    )
    rows = scale * torch.einsum("bd,nd->bn", own_image, every_text)
    columns = scale * torch.einsum("bd,nd->bn", own_text, every_image)
    first = rank * len(image)
    found = [torch.log_softmax(x, 1).diagonal(first) for x in (rows, columns)]
    return -(found[0] + found[1]).mean() / 2

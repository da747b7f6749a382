"""Each kind as rows of a matrix that are normalised, and put back."""

import torch


def rows_of(x, kind, groups):
    n, c, _, _ = x.shape
    if kind == "batch":
        return x.transpose(0, 1).reshape(c, -1)
    if kind in ("layer", "rms"):
        return x.reshape(n, -1)
    if kind == "instance":
        return x.reshape(n * c, -1)
    if kind == "group":
        if c % groups != 0:
            raise ValueError(groups)
        return x.reshape(n * groups, -1)
    raise ValueError(kind)


def normalise(x, kind, weight=None, bias=None, groups=1, eps=1e-5):
    n, c, h, w = x.shape
    rows = rows_of(x, kind, groups)
    if kind == "rms":
        rows = rows * rows.pow(2).mean(1, keepdim=True).add(eps).rsqrt()
    else:
        var, mean = torch.var_mean(rows, dim=1, correction=0, keepdim=True)
        rows = (rows - mean) / (var + eps).sqrt()
    y = rows.reshape(c, n, h, w).transpose(0, 1) if kind == "batch" else rows.reshape(n, c, h, w)
    per_channel = kind not in ("layer", "rms")
    for tensor, combine in ((weight, torch.mul), (bias, torch.add)):
        if tensor is not None:
            y = combine(y, tensor.reshape(c, 1, 1) if per_channel else tensor)
    return y

"""Patches cut out one by one; the cubic kernel written as two matrices."""

import math

import torch


def patchify(images, patch):
    height, width = images.shape[2:]
    if height % patch or width % patch:
        raise ValueError("patches do not fit")
    pieces = []
    for y in range(0, height, patch):
        for x in range(0, width, patch):
            pieces.append(images[:, :, y : y + patch, x : x + patch].flatten(1))
    return torch.stack(pieces, dim=1)


def kernel(t):
    t = abs(t)
    if t <= 1:
        return 1.25 * t**3 - 2.25 * t**2 + 1
    if t < 2:
        return -0.75 * (t**3 - 5 * t**2 + 8 * t - 4)
    return 0.0


def matrix(old, new, dtype):
    rows = [[0.0] * old for _ in range(new)]
    for i in range(new):
        centre = (i + 0.5) * old / new - 0.5
        for j in range(math.floor(centre) - 1, math.floor(centre) + 3):
            rows[i][min(max(j, 0), old - 1)] += kernel(centre - j)
    return torch.tensor(rows, dtype=dtype)


def resize_positions(pos, old, new):
    if pos.shape[0] - 1 != old[0] * old[1]:
        raise ValueError("wrong number of positions")
    grid = pos[1:].reshape(old[0], old[1], -1)
    down, across = (matrix(o, n, pos.dtype) for o, n in zip(old, new, strict=True))
    grid = torch.einsum("yh,xw,hwd->yxd", down, across, grid)
    return torch.cat([pos[:1], grid.reshape(-1, pos.shape[1])])


def embed(images, weight, bias, cls, pos, grid):
    size = weight.shape[2]
    patches = patchify(images, size).unflatten(2, weight.shape[1:])
    out = torch.einsum("bncyx,dcyx->bnd", patches, weight) + bias
    positions = resize_positions(pos, grid, [side // size for side in images.shape[2:]])
    first = cls.view(1, 1, -1).expand(out.shape[0], 1, out.shape[2])
    return torch.cat([first, out], 1) + positions

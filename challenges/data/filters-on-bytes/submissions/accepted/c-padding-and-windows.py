"""Sums in float64, which holds these whole numbers exactly; views of windows, and one count for all histograms."""

import torch
import torch.nn.functional as F


def grey(image):
    weights = torch.tensor([299.0, 587.0, 114.0], dtype=torch.float64)
    total = torch.einsum("...chw,c->...hw", image.double(), weights)
    return (total + 500).div(1000).floor().byte()


def threshold(image, level):
    out = torch.zeros_like(image)
    out[image.short() >= max(-1, min(level, 256))] = 255
    return out


def histogram(image, bins=256):
    if bins < 1:
        raise ValueError("at least one bin")
    flat = (image.long() * bins >> 8).reshape(-1, image.shape[-2] * image.shape[-1])
    own = flat + bins * torch.arange(len(flat))[:, None]
    return torch.bincount(own.flatten(), minlength=bins * len(flat)).reshape(*image.shape[:-2], bins)


def sums(x, radius):
    padded = F.pad(x, [radius] * 4)
    return padded.unfold(-2, 2 * radius + 1, 1).sum(-1).unfold(-1, 2 * radius + 1, 1).sum(-1)


def box_blur(image, radius):
    if radius < 0:
        raise ValueError("a radius is not negative")
    radius = min(radius, max(image.shape[-2:]))
    total = sums(image.double(), radius)
    count = sums(torch.ones_like(image, dtype=torch.float64), radius)
    return ((2 * total + count) / (2 * count)).floor().byte()


def edges(image):
    x = image.int()
    x = torch.cat([x[..., :1, :], x, x[..., -1:, :]], -2)
    x = torch.cat([x[..., :1], x, x[..., -1:]], -1)
    h, w = image.shape[-2:]

    def at(i, j):
        return x[..., i : i + h, j : j + w]

    gx = at(0, 2) + 2 * at(1, 2) + at(2, 2) - at(0, 0) - 2 * at(1, 0) - at(2, 0)
    gy = at(2, 0) + 2 * at(2, 1) + at(2, 2) - at(0, 0) - 2 * at(0, 1) - at(0, 2)
    return (gx.abs() + gy.abs()).minimum(torch.tensor(255)).byte()

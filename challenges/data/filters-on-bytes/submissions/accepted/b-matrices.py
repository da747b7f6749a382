"""Window sums and Sobel by products with small matrices; the histogram by comparison with all bins."""

import torch


def grey(image):
    r, g, b = image.to(torch.int32).unbind(-3)
    return torch.div(299 * r + 587 * g + 114 * b + 500, 1000, rounding_mode="floor").to(torch.uint8)


def threshold(image, level):
    return torch.where(image.int() >= level, 255, 0).to(torch.uint8)


def histogram(image, bins=256):
    if bins < 1:
        raise ValueError("bins")
    place = torch.div(image.long() * bins, 256, rounding_mode="floor").flatten(-2)
    return (place[..., None] == torch.arange(bins)).sum(-2)


def near(n, radius):
    place = torch.arange(n)
    return ((place[:, None] - place).abs() <= radius).long()


def box_blur(image, radius):
    if radius < 0:
        raise ValueError("radius")
    h, w = image.shape[-2:]
    left, right = near(h, radius), near(w, radius)
    total = left @ image.long() @ right
    count = left.sum(1)[:, None] * right.sum(0)
    return torch.div(2 * total + count, 2 * count, rounding_mode="floor").to(torch.uint8)


def shifted(n, by):
    """The matrix that reads the place `by` further on, clamped to the image."""
    place = (torch.arange(n) + by).clamp(0, n - 1)
    return (place[:, None] == torch.arange(n)).long()


def edges(image):
    x = image.long()
    h, w = x.shape[-2:]
    smooth_rows = shifted(h, -1) + 2 * shifted(h, 0) + shifted(h, 1)
    smooth_columns = shifted(w, -1) + 2 * shifted(w, 0) + shifted(w, 1)
    gx = smooth_rows @ x @ (shifted(w, 1) - shifted(w, -1)).T
    gy = (shifted(h, 1) - shifted(h, -1)) @ x @ smooth_columns.T
    return torch.clamp(gx.abs() + gy.abs(), max=255).to(torch.uint8)

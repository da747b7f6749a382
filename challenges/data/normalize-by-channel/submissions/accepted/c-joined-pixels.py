"""All pixels are joined; channels are handled one by one."""

import torch


def to_float_image(image):
    return image.movedim(-1, 0) / 255.0


def channel_statistics(batches):
    pixels = torch.cat([batch.movedim(1, 0).flatten(1).double() for batch in batches], dim=1)
    std, mean = torch.std_mean(pixels, dim=1, correction=0)
    return mean, std


def scales(std):
    return [1.0 if s < 1e-6 else s for s in std.tolist()]


def normalize(x, mean, std):
    channels = zip(x.unbind(-3), mean.tolist(), scales(std))
    return torch.stack([(c - m) / s for c, m, s in channels], dim=-3)


def denormalize(z, mean, std):
    channels = zip(z.unbind(-3), mean.tolist(), scales(std))
    return torch.stack([c * s + m for c, m, s in channels], dim=-3)

"""Means and squared deviations are merged batch by batch; pictures are normalized with the channels last."""

import torch


def to_float_image(image):
    return torch.stack([image[..., c] for c in range(image.shape[-1])]).to(torch.float32).div(255)


def channel_statistics(batches):
    count, mean, m2 = 0, None, None
    for batch in batches:
        flat = batch.to(torch.float64).transpose(0, 1).flatten(1)
        n, own = flat.shape[1], flat.mean(1)
        spread = (flat - own[:, None]).square().sum(1)
        if mean is None:
            count, mean, m2 = n, own, spread
            continue
        delta = own - mean
        m2 = m2 + spread + delta**2 * (count * n / (count + n))
        mean = mean + delta * n / (count + n)
        count += n
    return mean, (m2 / count).sqrt()


def normalize(x, mean, std):
    safe = std.clone()
    safe[std < 1e-6] = 1
    z = (x.movedim(-3, -1) - mean.to(x)) / safe.to(x)
    return z.movedim(-1, -3)


def denormalize(z, mean, std):
    safe = std.clone()
    safe[std < 1e-6] = 1
    return (z.movedim(-3, -1) * safe.to(z) + mean.to(z)).movedim(-1, -3)

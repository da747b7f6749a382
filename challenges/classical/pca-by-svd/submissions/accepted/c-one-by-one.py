"""The SVD of the transposed data, and a loop over the components."""

import torch


def fit(x, k):
    n = x.size(0)
    if not (n >= 2 and k in range(1, min(x.shape) + 1)):
        raise ValueError("n or k")
    mean = x.sum(0) / n
    centred = x - mean
    directions, lengths, _ = torch.linalg.svd(centred.T, full_matrices=False)
    components = []
    for j in range(k):
        v = directions[:, j]
        components.append(-v if -v.min() > v.max() else v)
    variance = lengths[:k] ** 2 / (n - 1)
    whole = (centred**2).sum() / (n - 1)
    share = variance / whole if bool(whole) else variance * 0
    return mean, torch.stack(components), variance, share


def transform(x, mean, components):
    return x @ components.T - components @ mean


def inverse_transform(z, mean, components):
    return mean + (z[:, :, None] * components).sum(1)

"""Eigenvalues of the covariance, which is affordable in float64: it has digits enough for the squares."""

import torch


def fit(x, k):
    if len(x) < 2 or k < 1 or k > min(x.shape):
        raise ValueError(k)
    wide = x.double()
    mean = wide.mean(0)
    values, vectors = torch.linalg.eigh(torch.cov(wide.T).reshape(x.shape[1], x.shape[1]))
    values, vectors = values.flip(0)[:k].clamp(min=0), vectors.flip(1)[:, :k]
    top = vectors.abs().max(0).indices
    signs = torch.where(vectors[top, torch.arange(k)] < 0, -1.0, 1.0)
    total = wide.var(0).sum()
    share = values / total if total > 0 else torch.zeros_like(values)
    return mean.to(x.dtype), (vectors * signs).T.to(x.dtype), values.to(x.dtype), share.to(x.dtype)


def transform(x, mean, components):
    return torch.einsum("md,kd->mk", x - mean, components)


def inverse_transform(z, mean, components):
    return torch.addmm(mean, z, components)

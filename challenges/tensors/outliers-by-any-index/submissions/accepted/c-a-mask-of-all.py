"""A mask over all of x says which places get the mean."""

import torch


def suppress_outliers(x, k, index=...):
    part = x[index]
    if part.numel() == 0:
        return torch.empty_like(x, memory_format=torch.contiguous_format).copy_(x)
    mean = part.mean()
    with torch.no_grad():
        std = torch.sqrt(((part - mean) ** 2).mean())
        chosen = torch.zeros(x.shape, dtype=torch.bool)
        chosen[index] = True
        far = chosen & (torch.abs(x - mean) > k * std)
    return torch.where(far, mean, x)

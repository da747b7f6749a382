"""Everything from elementary functions; sums over the whole batch are divided by its size."""

import torch
from torch.nn.functional import softplus


def reparameterize(mu, log_var, generator=None):
    noise = torch.empty(mu.shape, dtype=mu.dtype).normal_(generator=generator)
    return torch.addcmul(mu, noise, torch.exp(log_var / 2))


def kl_divergence(mu, log_var):
    return -(1 + log_var - mu.square() - log_var.exp()).sum(dim=1) / 2


def vae_loss(output, x, mu, log_var, beta=1.0, likelihood="bernoulli"):
    losses = {
        "bernoulli": lambda: (softplus(output) - x * output).sum(),
        "gaussian": lambda: (output - x).pow(2).sum() / 2,
    }
    if likelihood not in losses:
        raise ValueError("likelihood: bernoulli or gaussian")
    n = output.size(0)
    reconstruction = losses[likelihood]() / n
    kl = kl_divergence(mu, log_var).sum() / n
    return reconstruction + kl * beta, reconstruction, kl

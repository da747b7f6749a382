"""The decoder's distribution as an object of torch.distributions, and the divergence through expm1."""

import torch
from torch.distributions import Bernoulli, Independent, Normal


def reparameterize(mu, log_var, generator=None):
    draws = torch.normal(0.0, 1.0, tuple(mu.shape), generator=generator, dtype=mu.dtype)
    return mu + draws * torch.exp(0.5 * log_var)


def kl_divergence(mu, log_var):
    return torch.einsum("...l->...", mu * mu + torch.expm1(log_var) - log_var) * 0.5


def vae_loss(output, x, mu, log_var, beta=1.0, likelihood="bernoulli"):
    if likelihood == "bernoulli":
        distribution = Bernoulli(logits=output, validate_args=False)
        constant = 0.0
    elif likelihood == "gaussian":
        distribution = Normal(output, 1.0)
        constant = -0.5 * torch.log(torch.tensor(2 * torch.pi, dtype=x.dtype)) * x[0].numel()
    else:
        raise ValueError(likelihood)
    each = Independent(distribution, output.dim() - 1).log_prob(x)  # one number for each example
    reconstruction = -(each - constant).mean()
    kl = kl_divergence(mu, log_var).mean(0)
    return torch.add(reconstruction, kl, alpha=beta), reconstruction, kl

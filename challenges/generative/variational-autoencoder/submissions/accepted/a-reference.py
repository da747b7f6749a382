"""Reference: half the log variance in the exponent, sums inside an example, one mean over the batch."""

import torch
import torch.nn.functional as F
from torch import Tensor


def reparameterize(mu: Tensor, log_var: Tensor, generator: torch.Generator | None = None) -> Tensor:
    noise = torch.randn(mu.shape, generator=generator, dtype=mu.dtype)
    return mu + (0.5 * log_var).exp() * noise


def kl_divergence(mu: Tensor, log_var: Tensor) -> Tensor:
    return 0.5 * (mu**2 + log_var.exp() - 1 - log_var).sum(-1)


def vae_loss(
    output: Tensor, x: Tensor, mu: Tensor, log_var: Tensor, beta: float = 1.0, likelihood: str = "bernoulli"
) -> tuple[Tensor, Tensor, Tensor]:
    if likelihood == "bernoulli":
        errors = F.binary_cross_entropy_with_logits(output, x, reduction="none")
    elif likelihood == "gaussian":
        errors = 0.5 * (output - x) ** 2
    else:
        raise ValueError(f"unknown likelihood {likelihood!r}")
    reconstruction = errors.flatten(1).sum(1).mean()
    kl = kl_divergence(mu, log_var).mean()
    return reconstruction + beta * kl, reconstruction, kl

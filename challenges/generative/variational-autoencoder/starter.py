import torch
from torch import Tensor


def reparameterize(mu: Tensor, log_var: Tensor, generator: torch.Generator | None = None) -> Tensor:
    """One sample of N(mu, exp(log_var)) for each element, differentiable in both."""
    raise NotImplementedError


def kl_divergence(mu: Tensor, log_var: Tensor) -> Tensor:
    """(B, L), (B, L) gives (B,): KL(N(mu, exp(log_var)) || N(0, 1)) of each example."""
    raise NotImplementedError


def vae_loss(
    output: Tensor, x: Tensor, mu: Tensor, log_var: Tensor, beta: float = 1.0, likelihood: str = "bernoulli"
) -> tuple[Tensor, Tensor, Tensor]:
    """(loss, reconstruction, kl), each a mean over the batch."""
    raise NotImplementedError

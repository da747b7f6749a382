"""Proximal policy optimisation with generalised advantage estimation."""

from torch import Tensor


def gae(
    rewards: Tensor,
    values: Tensor,
    next_values: Tensor,
    terminated: Tensor,
    truncated: Tensor,
    gamma: float = 0.99,
    lam: float = 0.95,
) -> tuple[Tensor, Tensor]:
    """Return advantages and returns, each of shape (T, N)."""
    raise NotImplementedError


def ppo_losses(
    log_probs: Tensor,
    old_log_probs: Tensor,
    advantages: Tensor,
    values: Tensor,
    old_values: Tensor,
    returns: Tensor,
    clip: float = 0.2,
) -> tuple[Tensor, Tensor]:
    """Return the clipped loss of the policy and the clipped loss of the values."""
    raise NotImplementedError

"""Group relative policy optimisation."""

from torch import Tensor


def group_advantages(rewards: Tensor, eps: float = 1e-4) -> Tensor:
    """Return rewards (P, G) relative to the mean and the standard deviation of their group."""
    raise NotImplementedError


def grpo_loss(
    log_probs: Tensor,
    old_log_probs: Tensor | None,
    ref_log_probs: Tensor,
    advantages: Tensor,
    mask: Tensor,
    clip: float = 0.2,
    beta: float = 0.04,
) -> Tensor:
    """Return the clipped loss with a KL penalty: the mean over tokens, then over answers."""
    raise NotImplementedError

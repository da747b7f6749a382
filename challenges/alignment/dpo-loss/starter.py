"""Direct preference optimisation."""

from torch import Tensor


def response_log_prob(logits: Tensor, tokens: Tensor, mask: Tensor) -> Tensor:
    """Return the log probability (N,) of the tokens under the mask, from logits (N, T, V)."""
    raise NotImplementedError


def dpo_loss(
    policy_chosen: Tensor, policy_rejected: Tensor, ref_chosen: Tensor, ref_rejected: Tensor, beta: float = 0.1
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the mean loss and the rewards of the chosen and the rejected responses."""
    raise NotImplementedError

"""The losses of supervised fine-tuning and of a reward model."""

from torch import Tensor


def sft_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the mean cross entropy of the next token, over the labels that are not -100."""
    raise NotImplementedError


def response_rewards(scores: Tensor, mask: Tensor) -> Tensor:
    """Return the score (N,) at the last real token of each sequence."""
    raise NotImplementedError


def reward_model_loss(chosen: Tensor, rejected: Tensor, margin: Tensor | float = 0.0) -> Tensor:
    """Return the mean of -log sigmoid(chosen - rejected - margin)."""
    raise NotImplementedError

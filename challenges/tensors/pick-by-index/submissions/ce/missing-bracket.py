"""A bracket is missing."""

from torch import Tensor


def action_log_probs(logits: Tensor, actions: Tensor) -> Tensor:
    return logits.log_softmax(-1).gather(-1, actions.unsqueeze(-1).squeeze(-1)

"""The border is the last value of topk. What lies below it is masked, and the largest sum wins."""

import math

from torch import Tensor


def sample_top_k(logits: Tensor, noise: Tensor, k: int) -> Tensor:
    if not 1 <= k <= logits.shape[1]:
        raise ValueError(f"k must be between 1 and {logits.shape[1]}")
    border = logits.topk(k).values[:, -1:]
    return (logits + noise).masked_fill(logits < border, -math.inf).argmax(1)

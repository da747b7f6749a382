"""Cross entropy of raw scores, with weights, ignored labels, smoothing and soft targets."""

from torch import Tensor


def cross_entropy(
    logits: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> Tensor:
    """Return the cross entropy; target holds class indices (int64) or probabilities in the shape of logits."""
    raise NotImplementedError

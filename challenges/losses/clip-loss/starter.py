"""The contrastive loss of images and texts."""

from torch import Tensor


def clip_loss(
    image: Tensor,
    text: Tensor,
    log_scale: Tensor,
    all_image: Tensor | None = None,
    all_text: Tensor | None = None,
    rank: int = 0,
    max_scale: float = 100.0,
) -> Tensor:
    """Return the loss of the pairs (image, text) among themselves, or among all pairs of all processes."""
    raise NotImplementedError

"""Loss, metrics and preparation of a regression. Something is wrong with them: see the statement."""

from torch import Tensor


def regression_loss(prediction: Tensor, target: Tensor) -> Tensor:
    """Mean squared error."""
    return ((prediction - target) ** 2).mean()


def weighted_loss(prediction: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """Squared errors of several outputs, averaged with one weight per sample."""
    error = (prediction - target) ** 2
    return (weight * error).sum() / (weight.sum() * error.shape[-1])


def within(prediction: Tensor, target: Tensor, distance: float) -> float:
    """The share of samples whose error is at most this large."""
    return ((prediction - target).abs() <= distance).float().mean().item()


def centred_rows(x: Tensor) -> Tensor:
    """Each row minus its own mean."""
    return x - x.mean(dim=-1)

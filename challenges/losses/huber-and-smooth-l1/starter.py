"""Two losses for regression with outliers."""

from torch import Tensor


def huber(pred: Tensor, target: Tensor, delta: float = 1.0, reduction: str = "mean") -> Tensor:
    """Half the squared error up to delta, then linear with slope delta."""
    raise NotImplementedError


def smooth_l1(pred: Tensor, target: Tensor, beta: float = 1.0, reduction: str = "mean") -> Tensor:
    """The absolute error, with a parabola in place of its kink between -beta and beta."""
    raise NotImplementedError

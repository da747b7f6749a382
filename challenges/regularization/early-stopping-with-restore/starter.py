"""Early stopping with the weights of the best epoch."""

from torch import Tensor, nn


class EarlyStopping:
    """Asked after every epoch; says when to stop, and keeps the best state."""

    def __init__(self, patience: int, min_delta: float = 0.0, mode: str = "min") -> None:
        raise NotImplementedError

    def step(self, metric: float | Tensor, model: nn.Module) -> bool:
        """Note the metric of one epoch. Return True if training should stop."""
        raise NotImplementedError

    def restore(self, model: nn.Module) -> None:
        """Put the state of the best epoch into the model."""
        raise NotImplementedError

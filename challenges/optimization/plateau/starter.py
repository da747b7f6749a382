"""A schedule that looks at a metric."""

from torch import Tensor
from torch.optim import Optimizer


class Plateau:
    """Lowers the rates of all groups when the metric has stopped improving."""

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0.0,
    ) -> None:
        raise NotImplementedError

    def step(self, metric: float | Tensor) -> None:
        """Note the metric of one validation."""
        raise NotImplementedError

    def get_last_lr(self) -> list[float]:
        """The rates that are now in use."""
        raise NotImplementedError

    def state_dict(self) -> dict:
        """What a new schedule needs to go on."""
        raise NotImplementedError

    def load_state_dict(self, state: dict) -> None:
        """Go on as the schedule that gave this state."""
        raise NotImplementedError

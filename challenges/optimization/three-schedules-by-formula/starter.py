"""Three schedules as functions of the epoch, and the loop around them."""

from collections.abc import Callable

from torch.optim import Optimizer


def step_lr(base_lr: float, epoch: int, step_size: int, gamma: float = 0.1) -> float:
    """A cut every `step_size` epochs."""
    raise NotImplementedError


def multistep_lr(base_lr: float, epoch: int, milestones: list[int], gamma: float = 0.1) -> float:
    """A cut at each milestone."""
    raise NotImplementedError


def exp_lr(base_lr: float, epoch: int, gamma: float) -> float:
    """A cut in each epoch."""
    raise NotImplementedError


def run_epochs(optimizer: Optimizer, schedule, epochs: int, train_one_epoch: Callable[[int], None]) -> list[float]:
    """Train for some epochs under a schedule. Returns the rate that each epoch used."""
    raise NotImplementedError

"""The base rate times gamma to the number of cuts."""

from collections.abc import Callable

from torch.optim import Optimizer


def step_lr(base_lr: float, epoch: int, step_size: int, gamma: float = 0.1) -> float:
    base_lr = float(base_lr)
    return base_lr * gamma ** (epoch // step_size)


def multistep_lr(base_lr: float, epoch: int, milestones: list[int], gamma: float = 0.1) -> float:
    cuts = sum(1 for milestone in milestones if milestone <= epoch)
    base_lr = float(base_lr)
    return base_lr * gamma**cuts


def exp_lr(base_lr: float, epoch: int, gamma: float) -> float:
    base_lr = float(base_lr)
    return base_lr * gamma**epoch


def run_epochs(optimizer: Optimizer, schedule, epochs: int, train_one_epoch: Callable[[int], None]) -> list[float]:
    rates = []
    for epoch in range(epochs):
        rates.append(optimizer.param_groups[0]["lr"])
        train_one_epoch(epoch)
        schedule.step()
    return rates

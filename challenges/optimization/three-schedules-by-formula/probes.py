"""Rates of many epochs at once, and a small training that notes what each optimizer step used."""

import warnings

import torch


def trace(solution, name: str, base_lr: float, epochs: list[int], options: dict) -> list:
    """What one of your schedules gives for these epochs, and whether each is a Python float."""
    rates = [getattr(solution, name)(base_lr, epoch, **options) for epoch in epochs]
    return [[float(rate) for rate in rates], all(type(rate) is float for rate in rates)]


def train(solution, rates: list[float], kind: str, options: dict, epochs: int, steps: int) -> dict:
    """Calls run_epochs with `steps` optimizer steps in each epoch, on groups with these base rates."""
    groups = [{"params": [torch.nn.Parameter(torch.ones(2))], "lr": rate} for rate in rates]
    optimizer = torch.optim.SGD(groups, momentum=0.9)
    schedule = getattr(torch.optim.lr_scheduler, kind)(optimizer, **options)
    seen, called = [], []
    optimizer.register_step_pre_hook(lambda *_: seen.append(optimizer.param_groups[0]["lr"]))

    def train_one_epoch(epoch):
        called.append(epoch)
        for _ in range(steps):
            optimizer.zero_grad()
            sum(group["params"][0].square().sum() for group in optimizer.param_groups).backward()
            optimizer.step()

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        returned = solution.run_epochs(optimizer, schedule, epochs, train_one_epoch)
    return {
        "returned": returned,
        "used": seen,
        "epochs": called,
        "advanced": schedule.last_epoch,
        "final": [group["lr"] for group in optimizer.param_groups],
        "warnings": [type(one.message).__name__ for one in caught],
    }

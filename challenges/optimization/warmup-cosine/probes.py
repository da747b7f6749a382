"""Makes an optimizer and your schedule for it, walks a few steps, and notes the rates."""

import io
import warnings

import torch


def make_optimizer(rates: list[float], name: str = "SGD", options: dict | None = None) -> torch.optim.Optimizer:
    """An optimizer with one group for each rate."""
    groups = [{"params": [torch.nn.Parameter(torch.ones(1))], "lr": rate} for rate in rates]
    return getattr(torch.optim, name)(groups, **{"lr": 123.0, **(options or {})})


def rates_of(optimizer: torch.optim.Optimizer) -> list[float]:
    """The rate of every group."""
    return [group["lr"] for group in optimizer.param_groups]


def trace(solution, rates: list[float], settings: dict, steps: int, restarts: list[int] = ()) -> dict:
    """Rates in each step, and what `get_last_lr` says; at a restart everything is made again and loads its state."""
    optimizer = make_optimizer(rates)
    schedule = solution.warmup_cosine(optimizer, **settings)
    seen, said = [], []
    for k in range(steps):
        if k in restarts:
            buffer = io.BytesIO()
            torch.save({"optimizer": optimizer.state_dict(), "schedule": schedule.state_dict()}, buffer)
            buffer.seek(0)
            saved = torch.load(buffer, weights_only=True)
            optimizer = make_optimizer(rates)
            schedule = solution.warmup_cosine(optimizer, **settings)
            optimizer.load_state_dict(saved["optimizer"])
            schedule.load_state_dict(saved["schedule"])
        seen.append(rates_of(optimizer))
        said.append(schedule.get_last_lr())
        optimizer.step()
        schedule.step()
    return {"rates": seen, "said": said}


def other_options(solution, name: str, options: dict, settings: dict, steps: int) -> list[dict]:
    """Every option but the rate, before the schedule is made and after some steps."""
    optimizer = make_optimizer([0.1, 0.2], name, options)

    def snapshot():
        return [
            {k: v for k, v in group.items() if k not in ("lr", "initial_lr", "params")}
            for group in optimizer.param_groups
        ]

    before = snapshot()
    schedule = solution.warmup_cosine(optimizer, **settings)
    for _ in range(steps):
        optimizer.step()
        schedule.step()
    return [before, snapshot()]


def warnings_of(solution, settings: dict, steps: int) -> list[str]:
    """The warnings of a proper run."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        trace(solution, [0.1], settings, steps)
    return [type(one.message).__name__ for one in caught]


def refused(solution, settings: dict) -> dict:
    """Whether making the schedule raises ValueError, and the rate afterwards."""
    optimizer = make_optimizer([0.5])
    try:
        solution.warmup_cosine(optimizer, **settings)
    except ValueError:
        return {"refused": True, "rates": rates_of(optimizer)}
    return {"refused": False, "rates": rates_of(optimizer)}


def moved(solution, rate: float, settings: dict, steps: int) -> float:
    """How far SGD with a gradient of one has moved a parameter: the sum of the rates."""
    p = torch.nn.Parameter(torch.zeros(1, dtype=torch.float64))
    optimizer = torch.optim.SGD([p], lr=rate)
    schedule = solution.warmup_cosine(optimizer, **settings)
    for _ in range(steps):
        p.grad = torch.ones(1, dtype=torch.float64)
        optimizer.step()
        schedule.step()
    return -p.item()

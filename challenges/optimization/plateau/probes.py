"""An optimizer and your schedule for it, and the rates after each step."""

import io
import math

import torch


def make_optimizer(rates: list[float]) -> torch.optim.Optimizer:
    """SGD with one group for each rate."""
    groups = [{"params": [torch.nn.Parameter(torch.ones(2))], "lr": rate} for rate in rates]
    return torch.optim.SGD(groups, lr=1.0, momentum=0.9, weight_decay=0.01)


def rates_of(optimizer: torch.optim.Optimizer) -> list[float]:
    return [group["lr"] for group in optimizer.param_groups]


def replay(solution, metrics: list[float], options: dict, rates: list[float], more: dict | None = None) -> dict:
    """All metrics in a row. `more` may say: dtype (metrics live in one tensor that is overwritten), restarts, and by_hand
    (a step before which all rates are multiplied by three)."""
    more = more or {}
    optimizer = make_optimizer(rates)
    schedule = solution.Plateau(optimizer, **options)
    cell = None if more.get("dtype") is None else torch.zeros((), dtype=more["dtype"])
    seen, said, returned, kept = [rates_of(optimizer)], [schedule.get_last_lr()], [], []
    for k, metric in enumerate(metrics):
        if k in more.get("restarts", ()):
            buffer = io.BytesIO()
            torch.save({"optimizer": optimizer.state_dict(), "schedule": schedule.state_dict()}, buffer)
            buffer.seek(0)
            saved = torch.load(buffer, weights_only=True)
            optimizer = make_optimizer([123.0] * len(rates))
            schedule = solution.Plateau(optimizer, **options)
            optimizer.load_state_dict(saved["optimizer"])
            schedule.load_state_dict(saved["schedule"])
        if k == more.get("by_hand"):
            for group in optimizer.param_groups:
                group["lr"] *= 3
        if cell is None:
            returned.append(schedule.step(metric))
        else:
            cell.fill_(metric)
            returned.append(schedule.step(cell))
            kept.append(cell.item() == metric)
            cell.fill_(-math.inf if options.get("mode", "min") == "min" else math.inf)
        seen.append(rates_of(optimizer))
        said.append(schedule.get_last_lr())
    rest = [{k: v for k, v in group.items() if k not in ("params", "lr")} for group in optimizer.param_groups]
    return {"rates": seen, "said": said, "rest": rest, "returned": returned, "kept": all(kept)}


def untouched_rest(solution, rates: list[float]) -> list[dict]:
    """All options but the rates of an optimizer without a schedule; calls nothing of yours."""
    optimizer = make_optimizer(rates)
    return [{k: v for k, v in group.items() if k not in ("params", "lr")} for group in optimizer.param_groups]


def two_at_once(solution, metrics: list[list[float]], options: dict) -> list:
    """Two schedules, each with its own optimizer and metric, which take turns."""
    optimizers = [make_optimizer([1.0]), make_optimizer([1.0])]
    schedules = [solution.Plateau(optimizer, **options) for optimizer in optimizers]
    for pair in zip(*metrics, strict=True):
        for schedule, metric in zip(schedules, pair, strict=True):
            schedule.step(metric)
    return [rates_of(optimizer)[0] for optimizer in optimizers]


def refused(solution, options: dict) -> str:
    """What the constructor raises."""
    try:
        solution.Plateau(make_optimizer([1.0]), **options)
    except Exception as error:
        return type(error).__name__
    return ""

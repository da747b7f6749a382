"""Runs your training on several ranks at once (threads) and brings back what each of them ended with."""

import threading
import traceback

import torch
from given import Group, Hub, Network
from torch import nn


def place_of(error: Exception) -> str:
    """What the error says, and the last line of the answer that it came through."""
    lines = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "solution.py"]
    where = f" (line {lines[-1].lineno}: {(lines[-1].line or '').strip()[:80]})" if lines else ""
    try:
        return f": {str(error)[:120]}{where}"
    except Exception:  # the answer's own exception, which has no text
        return where


def run(solution, plan: dict, weights: dict, steps: list) -> list:
    """`steps[rank]` are that rank's steps; gives a dict for each rank."""
    hub = Hub(len(steps))
    results: list = [{} for _ in steps]
    ranks = [prepared(plan, weights) for _ in steps]

    def rank_of(rank: int) -> None:
        model, optimizer = ranks[rank]
        group = Group(hub, rank)
        found = {"losses": None, "raised": "", "at": ""}
        with hub.changed:  # one rank at a time: another goes on when this one waits for it in a collective call
            try:
                found["losses"] = solution.train(model, steps[rank], nn.MSELoss(), optimizer, group)
            except Exception as error:
                found["raised"] = type(error).__name__
                found["at"] = place_of(error)
            finally:
                hub.leave(rank)
        found |= {"state": {n: t.detach().clone() for n, t in model.state_dict().items()}, "calls": group.calls}
        results[rank] = found

    threading.stack_size(16 << 20)
    threads = [threading.Thread(target=rank_of, args=(rank,)) for rank in range(len(steps))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def prepared(plan: dict, weights: dict) -> tuple:
    """A rank's model and optimizer."""
    model = Network(*plan["sizes"]).to(plan.get("dtype", torch.float32))
    model.load_state_dict(weights)
    for name in plan.get("frozen", []):
        model.get_parameter(name).requires_grad_(False)
    for parameter in model.parameters():
        if "stale" in plan and parameter.requires_grad:
            parameter.grad = torch.full_like(parameter, plan["stale"])
    return model, getattr(torch.optim, plan.get("optimizer", "SGD"))(model.parameters(), **plan["options"])

"""Runs your worker on several ranks at once (threads) and brings back what each of them ended with."""

import threading

import torch
from given import Group, Hub, Network
from torch import nn


class Saved:
    """Notes what is stored."""

    def __init__(self):
        self.states = []

    def __call__(self, state: dict) -> None:
        self.states.append({name: t.detach().clone() for name, t in state.items()})


def run(solution, plan: dict, weights: list, batches: list) -> list:
    """`weights[rank]` and `batches[rank]`; gives a dict for each rank."""
    hub = Hub(len(weights))
    results: list = [{} for _ in weights]
    ranks = [prepared(plan, state) for state in weights]

    def rank_of(rank: int) -> None:
        model, optimizer = ranks[rank]
        group, saved = Group(hub, rank), Saved()
        found = {"losses": None, "raised": ""}
        with hub.changed:  # one rank at a time: another goes on when this one waits for it in a collective call
            try:
                found["losses"] = solution.worker(model, batches[rank], nn.MSELoss(), optimizer, group, saved)
            except Exception as error:
                found["raised"] = type(error).__name__
                if isinstance(error, RuntimeError):
                    found["raised"] += f": {str(error)[:80]}"
            finally:
                hub.leave(rank)
        found |= {"state": {n: t.detach().clone() for n, t in model.state_dict().items()}, "saved": saved.states}
        found |= {"closed": group.closed, "wants": [p.requires_grad for p in model.parameters()]}
        results[rank] = found

    threading.stack_size(16 << 20)
    threads = [threading.Thread(target=rank_of, args=(rank,)) for rank in range(len(weights))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def prepared(plan: dict, state: dict) -> tuple:
    """A rank's model and optimizer."""
    model = Network(*plan["sizes"]).to(plan.get("dtype", torch.float32))
    model.load_state_dict(state)
    for name in plan.get("frozen", []):
        model.get_parameter(name).requires_grad_(False)
    if plan.get("stale"):
        for parameter in model.parameters():
            parameter.grad = torch.full_like(parameter, plan["stale"]) if parameter.requires_grad else None
    return model, getattr(torch.optim, plan.get("optimizer", "SGD"))(model.parameters(), **plan["options"])

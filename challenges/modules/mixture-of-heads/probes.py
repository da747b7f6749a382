"""Models whose tasks change, among optimizers and devices."""

import torch
from torch import Tensor


def added(solution, names: list[str]) -> dict:
    """The tasks of a model after all these were added, as far as it takes them, and the number of its parameters."""
    model = solution.MixtureOfHeads(3, 4)
    try:
        for name in names:
            model.add_task(name, 1)
    except (ValueError, KeyError):
        pass
    return {"names": list(model.tasks()), "count": len(list(model.parameters()))}


def emptied(solution, names: list[str]) -> list[str]:
    """What is left after a loop over tasks() that removes each of them."""
    model = solution.MixtureOfHeads(3, 4)
    for name in names:
        model.add_task(name, 1)
    for name in model.tasks():
        model.remove_task(name)
    return list(model.tasks())


def on_meta(solution) -> dict:
    """A task is added after a move to the meta device: where its parameters are, and what forward gives there."""
    model = solution.MixtureOfHeads(3, 4)
    model.add_task("old", 1)
    model.to("meta")
    model.add_task("new", 2)
    try:
        out = model(torch.empty(5, 3, device="meta"), "new")
    except (RuntimeError, NotImplementedError):
        out = None
    return {
        "moved": all(p.is_meta for p in model.parameters()),
        "shape": None if out is None or not out.is_meta else tuple(out.shape),
    }


def others(solution) -> dict:
    """What adding and removing does to the parameters that were there before."""
    model = solution.MixtureOfHeads(2, 3)
    for name in ("a", "b"):
        model.add_task(name, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    before = {id(p): p.detach().clone() for p in model.parameters()}
    model.add_task("c", 2)
    model.remove_task("b")
    now = {id(p): p for p in model.parameters()}
    kept = [key for key in before if key in now]
    loss = model(torch.ones(1, 2), "a").square().sum() + model.total({"a": torch.tensor(2.0)})
    values = all(torch.equal(before[key], now[key]) for key in kept)
    start = {key: now[key].detach().clone() for key in kept}
    loss.backward()
    optimizer.step()
    moved = [not torch.equal(start[key], now[key]) for key in kept]
    return {"kept": len(kept), "values": values, "moved": any(moved)}


def trained(solution, names: list[str], state: dict[str, Tensor] | None, x: Tensor, steps: int) -> dict:
    """Adds tasks, trains on the first and the total of all; a task is removed and added again on the way."""
    model = solution.MixtureOfHeads(x.shape[1], 32)
    for name in names:
        model.add_task(name, 2)
    changed = []
    for _ in range(steps):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
        before = [p.detach().clone() for p in model.parameters()]
        losses = {name: model(x, name).square().mean() + 1 for name in names}
        optimizer.zero_grad()
        model.total(losses).backward()
        optimizer.step()
        changed.append(sum(not torch.equal(a, b) for a, b in zip(before, model.parameters(), strict=True)))
        model.remove_task(names[0])
        model.add_task(names[0], 2)
    return {"changed": changed, "names": model.tasks()}

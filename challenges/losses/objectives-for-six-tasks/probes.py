"""Prepares a target from raw labels, computes the loss and its gradients, and reports what has changed."""

import copy

import torch
from torch import Tensor


def use(solution, task: str, outputs: Tensor | tuple, raw) -> dict:
    """One use of an objective, as in the statement."""
    several = isinstance(outputs, tuple)
    leaves = [t.detach().clone().requires_grad_() for t in (outputs if several else (outputs,))]
    given = tuple(leaves) if several else leaves[0]
    before = copy.deepcopy(raw)
    loss_fn, prepare_target = solution.make_objective(task)
    target = prepare_target(raw, given)
    loss = loss_fn(given, target)
    gradients = torch.autograd.grad(loss, leaves, allow_unused=True)
    same = torch.equal(raw, before) and raw.dtype == before.dtype if isinstance(raw, Tensor) else raw == before
    kept = all(torch.equal(a, b) for a, b in zip(leaves, outputs if several else (outputs,), strict=True))
    return {"loss": loss.detach(), "gradients": list(gradients), "unchanged": bool(same and kept)}


def interleaved(solution, first: tuple, second: tuple) -> list[Tensor]:
    """Two objectives are made before one of them is used. Each argument is (task, outputs, raw)."""
    made = [solution.make_objective(task) for task, *_ in (first, second)]
    uses = zip(made, (first, second), strict=True)
    return [loss_fn(outputs, prepare(raw, outputs)).detach() for (loss_fn, prepare), (_, outputs, raw) in uses]


def made(solution, task: str | None) -> bool:
    """Make an objective, and use neither of its functions."""
    solution.make_objective(task)
    return True

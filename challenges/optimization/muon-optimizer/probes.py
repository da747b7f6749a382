"""Lets an optimizer take steps on parameters with gradients that were drawn before."""

import torch
from torch import nn


def run(solution, starts: list, groups: list, gradients: list, plan: dict) -> dict:
    """Take a step for each entry of `gradients` (a list with a gradient or None for each parameter).

    `groups` is a list of (indices, settings); empty for all parameters and `plan["settings"]`. With `plan["interrupt"]`, the
    run is saved and loaded into a new optimizer after this number of steps.
    """
    parameters = [nn.Parameter(x.clone()) for x in starts]

    def made():
        if not groups:
            return solution.Muon(parameters, **plan.get("settings", {}))
        parts = [{"params": [parameters[i] for i in indices], **settings} for indices, settings in groups]
        return solution.Muon(parts, **plan.get("settings", {}))

    optimizer = made()
    kept = True
    for number, each in enumerate(gradients):
        if plan.get("interrupt") == number:
            saved = optimizer.state_dict()
            optimizer = made()
            optimizer.load_state_dict(saved)
        for p, g in zip(parameters, each, strict=True):
            p.grad = None if g is None else g.clone()
        optimizer.step()
        kept = kept and all(
            p.grad is None if g is None else torch.equal(p.grad, g) for p, g in zip(parameters, each, strict=True)
        )
    buffers = [optimizer.state[p].get("momentum_buffer") if p in optimizer.state else None for p in parameters]
    return {
        "parameters": [p.detach().clone() for p in parameters],
        "buffers": [None if b is None else b.detach().clone() for b in buffers],
        "gradients_kept": kept,
        "is_optimizer": isinstance(optimizer, torch.optim.Optimizer),
        "same_objects": all(
            p is q
            for p, q in zip(
                sorted(parameters, key=id), sorted((q for g in optimizer.param_groups for q in g["params"]), key=id)
            )
        ),
    }


def closures(solution, start: torch.Tensor, target: torch.Tensor) -> dict:
    """Steps with a closure: what is returned, and how often it is called."""
    p, calls = nn.Parameter(start.clone()), []
    optimizer = solution.Muon([p], lr=0.1)

    def closure():
        calls.append(torch.is_grad_enabled())
        optimizer.zero_grad()
        loss = (p - target).square().sum()
        loss.backward()
        return loss

    with torch.no_grad():
        first = optimizer.step(closure)
    gradient = p.grad.clone()
    nothing = optimizer.step()  # a second step with the very same gradient tensor
    return {
        "loss": first.detach().clone(),
        "calls": calls,
        "nothing": nothing,
        "p": p.detach().clone(),
        "gradient_kept": torch.equal(p.grad, gradient),
    }


def built(solution, shapes: list, grouped: bool = False) -> str:
    """What happens when an optimizer is made for parameters of these shapes; with `grouped`, each in a group of its own."""
    parameters = [nn.Parameter(torch.ones(shape)) for shape in shapes]
    try:
        solution.Muon([{"params": [p]} for p in parameters] if grouped else parameters)
    except ValueError:
        return "ValueError"
    return "made"
